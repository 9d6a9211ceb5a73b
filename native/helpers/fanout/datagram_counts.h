#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <utility>

#include "native/helpers/fanout/rtps_reader.h"
#include "native/helpers/fanout/udp_packet.h"

namespace whiteline::fanout {

/** What goes over an interface on behalf of one row, each datagram in one class, by what it carries. */
class DatagramCounts {
 public:
  struct Destination {
    /** Datagrams with data that was not sent to it before, and the bytes of their IP packets. */
    uint64_t data = 0;
    uint64_t dataBytes = 0;
    /** With such data alone as was sent to it before. */
    uint64_t resends = 0;
    /** With heartbeats, and no data. */
    uint64_t heartbeats = 0;
    /** With other things of the publisher's writer: gaps. */
    uint64_t other = 0;
  };

  /**
   * @param publisher the one of this row: other rows may use the same interface and group
   * @param group where its samples go by multicast, most significant byte first, and the port there
   * @param isLoopback packets have no Ethernet around them, and all of them go out
   */
  DatagramCounts(const GuidPrefix& publisher, std::pair<uint32_t, uint16_t> group, bool isLoopback)
      : publisher_(publisher), group_(group), isLoopback_(isLoopback) {}

  /** @param captured from the header of IP on */
  void add(std::span<const uint8_t> captured, bool isOutgoing);

  /** By address and port; those that the publisher's writer sent something to. */
  using Destinations = std::map<std::pair<uint32_t, uint16_t>, Destination>;
  const Destinations& destinations() const { return destinations_; }

  /** That others sent to the group and port, either way: all subscribers of the group have to take them. */
  uint64_t groupOfOthers() const { return groupOfOthers_; }

  // Outgoing ones, whose classes add up to all.
  uint64_t datagrams() const { return datagrams_; }
  /** What they took of the link: on Ethernet with all that is around a frame. */
  uint64_t wireBytes() const { return wireBytes_; }
  uint64_t discovery() const { return discovery_; }
  /** Answers to pings. */
  uint64_t replies() const { return replies_; }
  /** Of anything else, other rows among it, or nothing that could be read. */
  uint64_t foreign() const { return foreign_; }
  /** To the publisher's writer: outgoing on loopback, incoming elsewhere. */
  uint64_t acknowledgements() const { return acknowledgements_; }
  /** From or to the publisher, of which not all submessages could be read: the classes are not sure then. */
  uint64_t unread() const { return unread_; }
  /** Parts of datagrams that were too large for a packet. */
  uint64_t ipFragments() const { return ipFragments_; }

 private:
  struct Contents;
  /** The highest sequence number and fragment. */
  using Position = std::pair<int64_t, uint64_t>;

  Contents read(const UdpPacket& packet, bool isOutgoing);
  bool isFirst(const UdpPacket& packet, const Submessage& data);

  GuidPrefix publisher_;
  std::pair<uint32_t, uint16_t> group_;
  bool isLoopback_;
  Destinations destinations_;
  /** What went to each destination. */
  std::map<std::pair<uint32_t, uint16_t>, Position> sent_;
  uint64_t groupOfOthers_ = 0;
  uint64_t datagrams_ = 0;
  uint64_t wireBytes_ = 0;
  uint64_t discovery_ = 0;
  uint64_t replies_ = 0;
  uint64_t foreign_ = 0;
  uint64_t acknowledgements_ = 0;
  uint64_t unread_ = 0;
  uint64_t ipFragments_ = 0;
};

}  // namespace whiteline::fanout
