#include "native/helpers/pacer/sequence_ledger.h"

#include <algorithm>

namespace whiteline::pacer {
namespace {

/** Places that are kept of each kind. */
constexpr size_t kMostPlaces = 1000;

/** A gap may last for so many turns of 32 bits of nanoseconds, which are over an hour. */
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
  const auto place = static_cast<size_t>(index) % kWindow;
  if (index > *highest_) {
    miss(*highest_ + 1, index - 1);
    highest_ = index;
    seen_[place] = true;
    ++received_;
    return Arrival::InOrder;
  }
  if (seen_[place] && *highest_ - index < static_cast<int64_t>(kWindow)) {
    ++duplicated_;
    keep(duplicates_, index);
    return Arrival::Duplicated;
  }
  find(index);
  ++received_;
  ++reordered_;
  keep(latecomers_, index);
  return Arrival::Reordered;
}

void SequenceLedger::expectUpTo(int64_t count) {
  if (highest_) miss(*highest_ + 1, count - 1);
}

void SequenceLedger::miss(int64_t first, int64_t last) {
  if (last < first) return;
  lost_ += static_cast<uint64_t>(last - first) + 1;
  const int64_t marked = std::min(last - first + 1, static_cast<int64_t>(kWindow));
  for (int64_t index = last; index > last - marked; --index)
    seen_[static_cast<size_t>(index) % kWindow] = false;
  if (lostRanges_.size() < kMostPlaces) lostRanges_.push_back({first, last});
}

void SequenceLedger::find(int64_t index) {
  seen_[static_cast<size_t>(index) % kWindow] = true;
  if (index < first_) {
    first_ = index;
    return;
  }
  --lost_;
  for (size_t at = 0; at < lostRanges_.size(); ++at) {
    PacketRange& range = lostRanges_[at];
    if (index < range.first || index > range.last) continue;
    const PacketRange after{index + 1, range.last};
    range.last = index - 1;
    const auto place = lostRanges_.begin() + static_cast<std::ptrdiff_t>(at);
    const bool isBeforeEmpty = range.last < range.first;
    const bool isAfterEmpty = after.last < after.first;
    if (isBeforeEmpty && isAfterEmpty) {
      lostRanges_.erase(place);
    } else if (isBeforeEmpty) {
      range = after;
    } else if (!isAfterEmpty) {
      lostRanges_.insert(place + 1, after);
    }
    return;
  }
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
