#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace whiteline::fanout {

/** A network card by which participants on other machines may be reached. */
struct Card {
  std::string name;
  /** IPv4; a card with several has an entry for each. */
  std::string address;
  /** Bits of the address that all machines of its network have in common. */
  int prefixBits = 0;
  /** None: the driver does not say it. */
  std::optional<uint32_t> speedMbps;
};

/** Those that are up and carry multicast, in the order of the system; loopback is none. @throws
 * std::system_error */
std::vector<Card> ownCards();

/** What this machine has left. */
struct Room {
  double memoryMb = 0;
  int64_t threads = 0;
  /** Of this process. */
  int64_t openFiles = 0;
};

/** @throws Error if the system does not say it */
Room ownRoom();

}  // namespace whiteline::fanout
