#pragma once

// The second needs names of the first.
// clang-format off
#include <windows.h>
#include <pdh.h>
// clang-format on

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace whiteline {

/** What a process took of one engine of a GPU. */
struct GpuEngineUse {
  /** "pid_1234_luid_0x…_0x…_phys_0_eng_3_engtype_3D" */
  std::string instance;
  /** Mean since the reading before. */
  double percent = 0;
};

/** Windows' counters of GPU engines, of every maker. Wine has none, so it is untried. */
class GpuEngines {
 public:
  GpuEngines();
  ~GpuEngines();
  GpuEngines(const GpuEngines&) = delete;
  GpuEngines& operator=(const GpuEngines&) = delete;

  /** Empty, with `problem`: there are none, or, at the first reading, there is no mean yet. */
  std::optional<std::vector<GpuEngineUse>> read();
  const std::string& problem() const { return problem_; }

 private:
  bool succeeded(const char* step, long status);

  PDH_HQUERY query_ = nullptr;
  PDH_HCOUNTER counter_ = nullptr;
  std::string problem_;
};

}  // namespace whiteline
