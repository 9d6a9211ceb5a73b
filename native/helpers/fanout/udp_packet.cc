#include "native/helpers/fanout/udp_packet.h"

#include <algorithm>

namespace whiteline::fanout {
namespace {

constexpr size_t kLeastIpHeaderBytes = 20;
constexpr size_t kUdpHeaderBytes = 8;
constexpr uint8_t kUdp = 17;
constexpr uint16_t kMoreFragments = 0x2000;
constexpr uint16_t kFragmentOffset = 0x1fff;

uint16_t twoBytes(std::span<const uint8_t> bytes, size_t offset) {
  return static_cast<uint16_t>(bytes[offset] << 8 | bytes[offset + 1]);
}

}  // namespace

std::optional<UdpPacket> readUdpPacket(std::span<const uint8_t> captured) {
  if (captured.size() < kLeastIpHeaderBytes || captured[0] >> 4 != 4 || captured[9] != kUdp)
    return std::nullopt;
  UdpPacket packet;
  packet.packetBytes = twoBytes(captured, 2);
  packet.destination = uint32_t{twoBytes(captured, 16)} << 16 | twoBytes(captured, 18);
  const size_t headerBytes = size_t{captured[0] & 0x0fU} * 4;
  if (headerBytes < kLeastIpHeaderBytes || packet.packetBytes < headerBytes) return std::nullopt;
  if ((twoBytes(captured, 6) & (kMoreFragments | kFragmentOffset)) != 0) {
    packet.isFragment = true;
    return packet;
  }
  if (captured.size() < headerBytes + kUdpHeaderBytes) return std::nullopt;
  const std::span<const uint8_t> udp = captured.subspan(headerBytes);
  packet.port = twoBytes(udp, 2);
  const size_t udpBytes = twoBytes(udp, 4);
  if (udpBytes < kUdpHeaderBytes || udpBytes > packet.packetBytes - headerBytes) return std::nullopt;
  packet.payloadBytes = udpBytes - kUdpHeaderBytes;
  const std::span<const uint8_t> payload = udp.subspan(kUdpHeaderBytes);
  packet.payload = payload.first(std::min(payload.size(), packet.payloadBytes));
  return packet;
}

}  // namespace whiteline::fanout
