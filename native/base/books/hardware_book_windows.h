#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace whiteline {

/** A text or a number below HKEY_LOCAL_MACHINE; empty: there is none. */
std::optional<std::string> registryText(const std::string& key, const std::string& name);

/** All texts of a key below HKEY_LOCAL_MACHINE; empty: it has none, or is not there. */
std::vector<std::string> registryTexts(const std::string& key);

/** Name of the power plan in force, in Windows' language. */
std::optional<std::string> powerPlan();

struct BookedDisplay {
  /** Such as \\.\DISPLAY1 */
  std::string connector;
  /** Of the card that drives it. */
  std::string gpu;
  uint32_t width = 0;
  uint32_t height = 0;
  uint32_t refreshHz = 0;
};
/** Those that the desktop uses. */
std::vector<BookedDisplay> bookedDisplays();

struct BookedDrive {
  /** Such as PhysicalDrive0. */
  std::string name;
  std::string model;
  /** Number of STORAGE_BUS_TYPE. */
  uint32_t bus = 0;
  uint64_t bytes = 0;
  std::optional<bool> rotating;
};
std::vector<BookedDrive> bookedDrives();

}  // namespace whiteline
