#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace whiteline::fanout {

/** A datagram as it lies in an IPv4 packet, of which not all may have been captured. */
struct UdpPacket {
  /** Most significant byte first. */
  uint32_t destination = 0;
  uint16_t port = 0;
  /** Of the whole IP packet. */
  size_t packetBytes = 0;
  /** A part of a larger packet: its ports are known of the first alone, and it is not read. */
  bool isFragment = false;
  std::span<const uint8_t> payload;
  size_t payloadBytes = 0;
};

/** Empty: it is no IPv4 packet with UDP, or less was captured than its headers. */
std::optional<UdpPacket> readUdpPacket(std::span<const uint8_t> captured);

}  // namespace whiteline::fanout
