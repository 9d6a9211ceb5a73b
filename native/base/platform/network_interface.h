#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

namespace whiteline {

/** What a network card's driver says of itself. Empty texts: it says nothing there. */
struct InterfaceDriver {
  std::string name;
  std::string version;
  std::string firmware;
  /** Address on the bus, such as 0000:01:00.0. */
  std::string bus;
};

struct InterfaceLink {
  /** None if the card cannot report it, as virtual ones, or where no cable is in it. */
  std::optional<uint32_t> speedMbps;
  std::optional<bool> fullDuplex;
  std::optional<bool> autonegotiation;
};

/** Energy-Efficient Ethernet, IEEE 802.3az. */
struct InterfaceEee {
  bool enabled = false;
  /** Agreed with the other end, so that the link sleeps between packets. */
  bool active = false;
};

struct InterfaceClock {
  bool stampsTransmitted = false;
  bool stampsReceived = false;
  /** Number of its /dev/ptp; none: it has no clock of its own. */
  std::optional<uint32_t> ptp;
};

/** Each fact that is absent has its reason in `notKnown`, under its own name. */
struct NetworkInterfaceFacts {
  std::optional<uint32_t> mtuBytes;
  std::optional<InterfaceDriver> driver;
  std::optional<InterfaceLink> link;
  std::optional<InterfaceEee> eee;
  std::optional<InterfaceClock> clock;
  /** By the kernel's own names, such as tx-tcp-segmentation, and whether each is on; empty if not known.
   */
  std::map<std::string, bool> offloads;
  std::map<std::string, std::string> notKnown;
};

/**
 * Asks the driver of an interface of this process's network namespace. None: this system is not asked at all,
 * as any but Linux and Windows.
 * @throws Error NOT_FOUND if no interface has this name
 */
std::optional<NetworkInterfaceFacts> networkInterfaceFacts(const std::string& name);

}  // namespace whiteline
