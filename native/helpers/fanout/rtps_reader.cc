#include "native/helpers/fanout/rtps_reader.h"

#include <algorithm>
#include <array>

namespace whiteline::fanout {
namespace {

constexpr size_t kHeaderBytes = 20;
constexpr size_t kPrefixOffset = 8;
constexpr std::array<uint8_t, 4> kMagic = {'R', 'T', 'P', 'S'};
constexpr uint8_t kMajorVersion = 2;

constexpr size_t kSubmessageHeaderBytes = 4;
constexpr uint8_t kLeastFirst = 0x01;

constexpr uint8_t kPad = 0x01;
constexpr uint8_t kAckNack = 0x06;
constexpr uint8_t kHeartbeat = 0x07;
constexpr uint8_t kGap = 0x08;
constexpr uint8_t kInfoTimestamp = 0x09;
constexpr uint8_t kInfoDestination = 0x0e;
constexpr uint8_t kNackFragment = 0x12;
constexpr uint8_t kHeartbeatFragment = 0x13;
constexpr uint8_t kData = 0x15;
constexpr uint8_t kDataFragment = 0x16;

uint32_t number(std::span<const uint8_t> bytes, bool isLeastFirst) {
  uint32_t value = 0;
  for (size_t index = 0; index < bytes.size(); ++index)
    value = value << 8 | bytes[isLeastFirst ? bytes.size() - 1 - index : index];
  return value;
}

SubmessageKind kindOf(uint8_t id) {
  if (id == kData || id == kDataFragment) return SubmessageKind::Data;
  if (id == kHeartbeat || id == kHeartbeatFragment) return SubmessageKind::Heartbeat;
  if (id == kAckNack || id == kNackFragment) return SubmessageKind::Acknowledgement;
  return id == kGap ? SubmessageKind::Gap : SubmessageKind::Other;
}

/** How much of a submessage's content must be there for it to be read. */
size_t neededBytes(uint8_t id) {
  switch (id) {
    case kInfoDestination:
      return std::tuple_size_v<GuidPrefix>;
    case kData:
      return 20;
    case kDataFragment:
      return 28;
    default:
      return kindOf(id) == SubmessageKind::Other ? 0 : 8;
  }
}

/** @param content as long as is needed for it */
Submessage read(uint8_t id, std::span<const uint8_t> content, bool isLeastFirst) {
  Submessage found{.kind = kindOf(id)};
  if (found.kind == SubmessageKind::Other) return found;
  const auto at = [&](size_t offset, size_t bytes) {
    return number(content.subspan(offset, bytes), isLeastFirst);
  };
  // Two fields of 16 bits stand in front of the two entities of data.
  const bool isData = found.kind == SubmessageKind::Data;
  found.writer = number(content.subspan(isData ? 8 : 4, 4), false);
  if (!isData) return found;
  found.sequence = static_cast<int64_t>(uint64_t{at(12, 4)} << 32 | at(16, 4));
  if (id == kDataFragment) {
    found.firstFragment = at(20, 4);
    found.fragments = at(24, 2);
  }
  return found;
}

}  // namespace

RtpsReader::RtpsReader(std::span<const uint8_t> captured, size_t wholeBytes)
    : rest_(captured.first(std::min(captured.size(), wholeBytes))), restBytes_(wholeBytes) {
  if (rest_.size() < kHeaderBytes || rest_[4] != kMajorVersion) return;
  if (!std::equal(kMagic.begin(), kMagic.end(), rest_.begin())) return;
  isRtps_ = true;
  std::copy_n(rest_.begin() + kPrefixOffset, source_.size(), source_.begin());
  rest_ = rest_.subspan(kHeaderBytes);
  restBytes_ -= kHeaderBytes;
}

std::optional<Submessage> RtpsReader::next() {
  if (!isRtps_ || restBytes_ == 0) return std::nullopt;
  if (rest_.size() < kSubmessageHeaderBytes) return stop();
  const uint8_t id = rest_[0];
  const bool isLeastFirst = (rest_[1] & kLeastFirst) != 0;
  size_t bytes = number(rest_.subspan(2, 2), isLeastFirst);
  const size_t behindBytes = restBytes_ - kSubmessageHeaderBytes;
  // So the last one may say that it takes all that is left; these two have no content.
  if (bytes == 0 && id != kPad && id != kInfoTimestamp) bytes = behindBytes;
  const std::span<const uint8_t> content = rest_.subspan(kSubmessageHeaderBytes);
  if (bytes > behindBytes || bytes < neededBytes(id) || content.size() < neededBytes(id)) return stop();
  if (id == kInfoDestination) std::copy_n(content.begin(), destination_.size(), destination_.begin());
  const Submessage found = read(id, content, isLeastFirst);
  rest_ = content.subspan(std::min(bytes, content.size()));
  restBytes_ = behindBytes - bytes;
  return found;
}

std::nullopt_t RtpsReader::stop() {
  isCut_ = true;
  restBytes_ = 0;
  return std::nullopt;
}

}  // namespace whiteline::fanout
