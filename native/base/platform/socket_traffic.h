#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <unordered_map>

namespace whiteline {

/** Why it is not known how much the sockets of this process carried. */
enum class TrafficGap {
  /** Only root may count it. */
  kNotAllowed,
  kNoLibrary,
  /** No nf_tables, or none whose tables have an owner: older than Linux 5.12. */
  kNoKernelSupport,
  kUnreadable,
  /** A socket of another process has the same port. */
  kSharedPort,
  /** Datagrams of IPv6 came in fragments. */
  kFragments,
  /** One of UDP was opened since the look before: what it carried until it was seen was not counted. */
  kNewSocket,
  /** One of TCP that may have carried something since the look before is closed. */
  kClosedSocket,
};

/** What the sockets of this process carried so far. */
struct SocketTraffic {
  /** Payload, what TCP sent again included; of closed TCP sockets up to the last look before their end. */
  uint64_t sentBytes = 0;
  uint64_t receivedBytes = 0;
  uint32_t tcpSockets = 0;
  /** Those of mDNS apart. */
  uint32_t udpSockets = 0;
  /** Looks since the one before which something is not in the sums, and why at the newest of them. */
  uint32_t gaps = 0;
  std::optional<TrafficGap> newestGap;
};

class UdpTrafficCounter;

/**
 * Adds up what the kernel counts for each TCP socket of this process, whoever opened it, and for its UDP
 * ports. A socket that opens and closes between two looks is not seen. What one of TCP carried between the
 * last look and its end is a gap.
 */
class SocketTrafficCounter {
 public:
  SocketTrafficCounter();
  ~SocketTrafficCounter();

  /** None if the system does not report it: any but Linux 4.19 or newer. */
  std::optional<SocketTraffic> look();

 private:
  struct Bytes {
    uint64_t sent = 0;
    uint64_t received = 0;
  };
  struct OpenSocket {
    Bytes bytes;
    /** It listens, or its connection is over: it carries nothing. */
    bool isIdle = false;
  };

  /** By the kernel's number of the socket: another one with the same file descriptor has another. */
  std::unordered_map<uint64_t, OpenSocket> open_;
  Bytes closed_;
  std::unique_ptr<UdpTrafficCounter> udp_;
  uint32_t gaps_ = 0;
  std::optional<TrafficGap> newestGap_;
};

}  // namespace whiteline
