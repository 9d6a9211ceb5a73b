#include "native/helpers/pacer/clock_offset.h"

#include <algorithm>

namespace whiteline::pacer {

void ClockOffset::begin(const ClockReading& reading) {
  leastNs_ = reading.wallNs - reading.afterNs;
  mostNs_ = reading.wallNs - reading.beforeNs;
}

void ClockOffset::add(const ClockReading& reading) {
  newestNs_ = reading.afterNs;
  const int64_t leastNs = std::max(leastNs_, reading.wallNs - reading.afterNs);
  const int64_t mostNs = std::min(mostNs_, reading.wallNs - reading.beforeNs);
  earlierNs_.reset();
  if (offsetNs_ && leastNs <= mostNs) {
    leastNs_ = leastNs;
    mostNs_ = mostNs;
    // The number stays what it was while nothing contradicts it: a better one would make an interval longer
    // or shorter.
    if (*offsetNs_ >= leastNs && *offsetNs_ <= mostNs) return;
  } else {
    if (offsetNs_) {
      ++steps_;
      earlierNs_ = offsetNs_;
    }
    begin(reading);
  }
  offsetNs_ = leastNs_ + (mostNs_ - leastNs_) / 2;
}

int64_t ClockOffset::monotonicNs(int64_t wallNs) const {
  const int64_t byNewest = wallNs - offsetNs_.value_or(0);
  if (!earlierNs_) return byNewest;
  const int64_t byEarlier = wallNs - *earlierNs_;
  const auto distanceNs = [this](int64_t timeNs) { return std::max(timeNs - newestNs_, newestNs_ - timeNs); };
  return distanceNs(byEarlier) < distanceNs(byNewest) ? byEarlier : byNewest;
}

}  // namespace whiteline::pacer
