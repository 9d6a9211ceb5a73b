#include "native/helpers/pacer/avtp.h"

#include <algorithm>

namespace whiteline::pacer {
namespace {

constexpr uint8_t kAafSubtype = 0x02;
constexpr uint16_t kVlanEtherType = 0x8100;
constexpr uint8_t kStreamValid = 0x80;
constexpr uint8_t kVersionBits = 0x70;
constexpr uint8_t kTimestampValid = 0x01;
constexpr uint8_t kTimestampUncertain = 0x01;

/** By their code; 0: the user's own. */
constexpr std::array<uint32_t, 11> kRatesHz = {0,     8000,  16000,  32000,  44100, 48000,
                                               88200, 96000, 176400, 192000, 24000};

// Where the fields of an AVTPDU stand.
constexpr size_t kFlagsAt = 1;
constexpr size_t kSequenceAt = 2;
constexpr size_t kUncertainAt = 3;
constexpr size_t kStreamIdAt = 4;
constexpr size_t kTimestampAt = 12;
constexpr size_t kFormatAt = 16;
constexpr size_t kRateAt = 17;
constexpr size_t kChannelsAt = 18;
constexpr size_t kDepthAt = 19;
constexpr size_t kLengthAt = 20;

void put(std::span<uint8_t> to, uint64_t value) {
  for (size_t index = to.size(); index > 0; --index, value >>= 8) to[index - 1] = static_cast<uint8_t>(value);
}

uint64_t get(std::span<const uint8_t> from) {
  uint64_t value = 0;
  for (const uint8_t byte : from) value = value << 8 | byte;
  return value;
}

void append(std::vector<uint8_t>& bytes, uint64_t value, size_t size) {
  bytes.resize(bytes.size() + size);
  put(std::span(bytes).last(size), value);
}

/** Of AES3 and of what is reserved there is none. */
std::optional<SampleFormat> formatOf(uint8_t code) {
  if (code < static_cast<uint8_t>(SampleFormat::Float32) || code > static_cast<uint8_t>(SampleFormat::Int16))
    return std::nullopt;
  return static_cast<SampleFormat>(code);
}

}  // namespace

size_t bytesOf(SampleFormat format) {
  switch (format) {
    case SampleFormat::Int16:
      return 2;
    case SampleFormat::Int24:
      return 3;
    case SampleFormat::Int32:
    case SampleFormat::Float32:
      break;
  }
  return 4;
}

std::optional<SampleFormat> integerSamples(uint32_t bits) {
  switch (bits) {
    case 16:
      return SampleFormat::Int16;
    case 24:
      return SampleFormat::Int24;
    case 32:
      return SampleFormat::Int32;
    default:
      return std::nullopt;
  }
}

std::optional<uint8_t> rateCode(uint32_t rateHz) {
  const auto* const found = std::find(kRatesHz.begin() + 1, kRatesHz.end(), rateHz);
  if (found == kRatesHz.end()) return std::nullopt;
  return static_cast<uint8_t>(found - kRatesHz.begin());
}

std::array<uint8_t, kAafHeaderBytes> headerOf(const AafPacket& packet) {
  std::array<uint8_t, kAafHeaderBytes> bytes{};
  const std::span<uint8_t> all(bytes);
  bytes[0] = kAafSubtype;
  bytes[kFlagsAt] = kStreamValid | (packet.timestampNs ? kTimestampValid : 0);
  bytes[kSequenceAt] = packet.sequence;
  bytes[kUncertainAt] = packet.isTimestampUncertain ? kTimestampUncertain : 0;
  put(all.subspan(kStreamIdAt, 8), packet.streamId);
  put(all.subspan(kTimestampAt, 4), packet.timestampNs.value_or(0));
  bytes[kFormatAt] = static_cast<uint8_t>(packet.format);
  bytes[kRateAt] = static_cast<uint8_t>(rateCode(packet.rateHz).value_or(0) << 4 | packet.channels >> 8);
  bytes[kChannelsAt] = static_cast<uint8_t>(packet.channels);
  bytes[kDepthAt] = packet.bitDepth;
  put(all.subspan(kLengthAt, 2), packet.soundBytes);
  return bytes;
}

ReadAaf readAaf(std::span<const uint8_t> bytes) {
  if (bytes.empty()) return Unread::Damaged;
  if (bytes[0] != kAafSubtype) return Unread::Foreign;
  if (bytes.size() < kAafHeaderBytes) return Unread::Damaged;
  const uint8_t flags = bytes[kFlagsAt];
  if ((flags & kVersionBits) != 0) return Unread::Foreign;
  if ((flags & kStreamValid) == 0) return Unread::Damaged;
  AafPacket packet;
  packet.sequence = bytes[kSequenceAt];
  packet.streamId = get(bytes.subspan(kStreamIdAt, 8));
  packet.isTimestampUncertain = (bytes[kUncertainAt] & kTimestampUncertain) != 0;
  if ((flags & kTimestampValid) != 0)
    packet.timestampNs = static_cast<uint32_t>(get(bytes.subspan(kTimestampAt, 4)));
  const std::optional<SampleFormat> format = formatOf(bytes[kFormatAt]);
  const uint8_t rate = bytes[kRateAt] >> 4;
  if (!format || rate == 0 || rate >= kRatesHz.size()) return Unread::OtherAudio;
  packet.format = *format;
  packet.rateHz = kRatesHz[rate];
  packet.channels = static_cast<uint16_t>(get(bytes.subspan(kRateAt, 2)) & 0x3ff);
  packet.bitDepth = bytes[kDepthAt];
  packet.soundBytes = static_cast<uint16_t>(get(bytes.subspan(kLengthAt, 2)));
  const size_t sampleBytes = bytesOf(packet.format);
  const bool isWhole = packet.channels > 0 && packet.soundBytes > 0 &&
                       packet.soundBytes % (packet.channels * sampleBytes) == 0;
  const bool isThere = packet.soundBytes <= bytes.size() - kAafHeaderBytes;
  if (!isWhole || !isThere || packet.bitDepth > 8 * sampleBytes) return Unread::Damaged;
  return packet;
}

ReadAaf readFrame(std::span<const uint8_t> bytes) {
  if (bytes.size() < kEthernetHeaderBytes) return Unread::Damaged;
  size_t headerBytes = kEthernetHeaderBytes;
  if (get(bytes.subspan(headerBytes - 2, 2)) == kVlanEtherType) headerBytes += kVlanTagBytes;
  if (bytes.size() < headerBytes) return Unread::Damaged;
  if (get(bytes.subspan(headerBytes - 2, 2)) != kAvtpEtherType) return Unread::Foreign;
  return readAaf(bytes.subspan(headerBytes));
}

ReadAaf readDatagram(std::span<const uint8_t> bytes) {
  if (bytes.size() < kEncapsulationBytes) return Unread::Damaged;
  return readAaf(bytes.subspan(kEncapsulationBytes));
}

PacketBytes::PacketBytes(std::vector<uint8_t> before, const AafPacket& packet, bool isInUdp)
    : bytes_(std::move(before)), headerAt_(bytes_.size()), isInUdp_(isInUdp) {
  const auto header = headerOf(packet);
  bytes_.insert(bytes_.end(), header.begin(), header.end());
  bytes_.resize(bytes_.size() + packet.soundBytes);
}

PacketBytes PacketBytes::onEthernet(const AafPacket& packet, const MacAddress& to, const MacAddress& from,
                                    const std::optional<VlanTag>& tag) {
  std::vector<uint8_t> before(to.begin(), to.end());
  before.insert(before.end(), from.begin(), from.end());
  if (tag) {
    append(before, kVlanEtherType, 2);
    append(before, static_cast<uint64_t>(tag->priority) << 13 | tag->id, 2);
  }
  append(before, kAvtpEtherType, 2);
  return {std::move(before), packet, false};
}

PacketBytes PacketBytes::inUdp(const AafPacket& packet) {
  return {std::vector<uint8_t>(kEncapsulationBytes), packet, true};
}

std::span<const uint8_t> PacketBytes::number(uint64_t index, int64_t presentationNs) {
  const std::span<uint8_t> all(bytes_);
  if (isInUdp_) put(all.first(kEncapsulationBytes), index);
  bytes_[headerAt_ + kSequenceAt] = static_cast<uint8_t>(index);
  put(all.subspan(headerAt_ + kTimestampAt, 4), static_cast<uint64_t>(presentationNs));
  return bytes_;
}

}  // namespace whiteline::pacer
