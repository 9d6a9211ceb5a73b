#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "native/helpers/pacer/avtp.h"
#include "native/helpers/shared/file_descriptor.h"

namespace whiteline::pacer {

/** A network interface, as the kernel reports it in the namespace of this process. */
struct NetworkCard {
  int index = 0;
  bool isUp = false;
  bool hasCarrier = false;
  bool isEthernet = false;
  int mtuBytes = 0;
  MacAddress address{};
  /** Empty: the driver reports none. */
  std::optional<uint32_t> speedMbps;
  bool stampsInHardware = false;
};

/** @throws Error BAD_INTERFACE if there is none of this name */
NetworkCard networkCard(const std::string& name);

/** A queueing discipline that sends a packet at the time that stands in its control message. */
struct LaunchQueue {
  /** etf or fq */
  std::string kind;
  /** By which it reads that time. */
  int clockId;
};

/** That of an interface, out of answers of the kernel to RTM_GETQDISC; an ETF goes before an fq. */
std::optional<LaunchQueue> launchQueueIn(std::span<const uint8_t> answers, int interfaceIndex);
/** @throws std::system_error */
std::optional<LaunchQueue> launchQueueOf(int interfaceIndex);

/** Lets a card stamp all packets that come, for as long as this lives; then it does what it did before. */
class HardwareStamps {
 public:
  /** @throws std::system_error where the card or our rights do not allow it */
  explicit HardwareStamps(const std::string& interface);
  ~HardwareStamps();
  HardwareStamps(const HardwareStamps&) = delete;
  HardwareStamps& operator=(const HardwareStamps&) = delete;

 private:
  std::string interface_;
  int flagsBefore_ = 0;
  int transmitBefore_ = 0;
  int receiveBefore_ = 0;
};

}  // namespace whiteline::pacer
