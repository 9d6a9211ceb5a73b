#include "native/helpers/pacer/sequence_ledger.h"

namespace whiteline::pacer {
namespace {

/** Places that are kept of each kind. */
constexpr size_t kMostPlaces = 1000;

/** A gap may last for this many turns of 32 bits of nanoseconds, over an hour. */
constexpr int64_t kMostTurns = 1000;
constexpr int64_t kTurnNs = int64_t{1} << 32;

void keep(std::vector<int64_t>& places, int64_t index) {
  if (places.size() < kMostPlaces) places.push_back(index);
}

}  // namespace

SequenceLedger::SequenceLedger(std::optional<int64_t> first) {
  if (!first) return;
  first_ = *first;
  highest_ = *first - 1;
}

SequenceLedger::Arrival SequenceLedger::add(int64_t index) {
  if (!highest_) {
    first_ = index;
    highest_ = index - 1;
  }
  if (index > *highest_) {
    gaps_.open(*highest_ + 1, index - 1);
    highest_ = index;
    ++received_;
    return Arrival::InOrder;
  }
  if (index < first_) {
    gaps_.open(index + 1, first_ - 1);
    first_ = index;
  } else if (!gaps_.take(index)) {
    ++duplicated_;
    keep(duplicates_, index);
    return Arrival::Duplicated;
  }
  ++received_;
  ++reordered_;
  keep(latecomers_, index);
  return Arrival::Reordered;
}

void SequenceLedger::expectUpTo(int64_t count) {
  if (highest_) gaps_.open(*highest_ + 1, count - 1);
}

std::vector<PacketRange> SequenceLedger::lostRanges() const {
  std::vector<PacketRange> ranges;
  for (const auto& [first, last] : gaps_.all()) {
    if (ranges.size() == kMostPlaces) break;
    ranges.push_back({first, last});
  }
  return ranges;
}

std::optional<int64_t> OwnNumbers::of(const AafPacket& packet, int64_t highest) const {
  if (!packet.timestampNs) return std::nullopt;
  const int64_t highestNs = firstPresentationNs_ + highest * intervalNs_;
  const auto nearNs = static_cast<int32_t>(*packet.timestampNs - static_cast<uint32_t>(highestNs));
  for (int64_t turns = 0; turns <= kMostTurns; ++turns) {
    const int64_t aheadNs = nearNs + turns * kTurnNs;
    if (aheadNs % intervalNs_ != 0) continue;
    const int64_t index = highest + aheadNs / intervalNs_;
    if (index >= 0 && static_cast<uint8_t>(index) == packet.sequence) return index;
  }
  return std::nullopt;
}

int64_t nearestNumber(uint8_t sequence, int64_t highest) {
  return highest + static_cast<int8_t>(sequence - static_cast<uint8_t>(highest));
}

}  // namespace whiteline::pacer
