#pragma once

#include <cstdint>
#include <optional>
#include <unordered_map>

namespace whiteline {

/** What the sockets of this process carried so far. */
struct SocketTraffic {
  /** Payload over TCP, what was sent again included, of sockets that are closed by now too. */
  uint64_t sentBytes = 0;
  uint64_t receivedBytes = 0;
  uint32_t tcpSockets = 0;
  /** Those of mDNS apart. The system does not count their bytes: with one, the sums may lack streams. */
  uint32_t udpSockets = 0;
};

/**
 * Adds up what the kernel counts for each TCP socket of this process, whoever opened it. A socket that opens
 * and closes between two looks is not seen; what one carried between the last look and its end is not either.
 */
class SocketTrafficCounter {
 public:
  /** None where the system does not report it: any but Linux 4.19 or newer. */
  std::optional<SocketTraffic> look();

 private:
  struct Bytes {
    uint64_t sent = 0;
    uint64_t received = 0;
  };

  /** By the kernel's number of the socket: another one with the same file descriptor has another. */
  std::unordered_map<uint64_t, Bytes> open_;
  Bytes closed_;
};

}  // namespace whiteline
