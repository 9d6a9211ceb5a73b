#include "native/helpers/fanout/sample_ledger.h"

namespace whiteline::fanout {

void SampleLedger::add(int64_t number) {
  if (number >= next_) {
    gaps_.open(next_, number - 1);
    next_ = number + 1;
    ++received_;
  } else if (gaps_.take(number)) {
    ++received_;
    ++reordered_;
  } else {
    ++duplicated_;
  }
}

void SampleLedger::expect(int64_t samples) {
  gaps_.open(next_, samples - 1);
  if (samples > next_) next_ = samples;
}

std::vector<int64_t> SampleLedger::lostRanges(size_t most) const {
  std::vector<int64_t> ranges;
  for (const auto& [first, last] : gaps_.all()) {
    if (ranges.size() == 2 * most) break;
    ranges.insert(ranges.end(), {first, last});
  }
  return ranges;
}

}  // namespace whiteline::fanout
