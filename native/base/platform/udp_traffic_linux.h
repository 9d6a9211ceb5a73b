#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>

#include "native/base/platform/nftables_linux.h"
#include "native/base/platform/socket_traffic.h"

namespace whiteline {

/** The kernel's numbers of the own UDP sockets, by their local port. */
using UdpSockets = std::map<uint16_t, std::set<uint64_t>>;

struct UdpBytes {
  uint64_t sent = 0;
  uint64_t received = 0;
};

/** What the counters of the table say. */
struct UdpCounters {
  /** Payload: without the headers of IP and UDP. */
  UdpBytes payload;
  /** First fragments of IPv6 that came: how much was in the others is not known. */
  uint64_t fragments = 0;
};

/** None if the text is not what nftables lists of our table. */
std::optional<UdpCounters> parseUdpCounters(const std::string& listed);

/** Whether a line of /proc/net/udp is a socket at one of these ports, and none of these sockets. */
bool isUdpPortShared(const std::string& procNetUdp, const UdpSockets& own);

/**
 * Counts what passes the own UDP ports of this process, by a table of nf_tables that only counts. It is there
 * as long as there are ports, and goes with this process.
 */
class UdpTrafficCounter {
 public:
  struct Look {
    UdpBytes bytes;
    /** Why not all since the look before is in them. */
    std::optional<TrafficGap> gap;
  };

  ~UdpTrafficCounter();

  Look look(const UdpSockets& own);

 private:
  std::optional<TrafficGap> open();
  bool count(const std::string& changes);
  void close();

  std::unique_ptr<Nftables> tables_;
  std::set<uint16_t> ports_;
  UdpCounters open_;
  /** Of tables before. */
  UdpBytes closed_;
  /** What was so at the look before, and may have been so since. */
  std::optional<TrafficGap> lasting_;
};

}  // namespace whiteline
