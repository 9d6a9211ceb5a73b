#include "native/helpers/fanout/sample_ledger.h"

#include <iterator>

namespace whiteline::fanout {
namespace {

constexpr size_t kMostGaps = 65536;

}  // namespace

void SampleLedger::add(int64_t number) {
  if (number >= next_) {
    miss(next_, number - 1);
    next_ = number + 1;
    ++received_;
    return;
  }
  const auto after = gaps_.upper_bound(number);
  if (after == gaps_.begin() || std::prev(after)->second < number) {
    ++duplicated_;
    return;
  }
  const auto gap = std::prev(after);
  const auto [first, last] = *gap;
  if (first == number) {
    gaps_.erase(gap);
  } else {
    gap->second = number - 1;
  }
  if (number < last) gaps_.emplace(number + 1, last);
  --lost_;
  ++received_;
  ++reordered_;
}

void SampleLedger::expect(int64_t samples) {
  miss(next_, samples - 1);
  if (samples > next_) next_ = samples;
}

void SampleLedger::miss(int64_t first, int64_t last) {
  if (last < first) return;
  lost_ += static_cast<uint64_t>(last - first) + 1;
  gaps_.emplace_hint(gaps_.end(), first, last);
  if (gaps_.size() > kMostGaps) gaps_.erase(gaps_.begin());
}

std::vector<int64_t> SampleLedger::lostRanges(size_t most) const {
  std::vector<int64_t> ranges;
  for (const auto& [first, last] : gaps_) {
    if (ranges.size() == 2 * most) break;
    ranges.insert(ranges.end(), {first, last});
  }
  return ranges;
}

}  // namespace whiteline::fanout
