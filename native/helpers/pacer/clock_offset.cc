#include "native/helpers/pacer/clock_offset.h"

#include <algorithm>

namespace whiteline::pacer {
namespace {

/** Stamps wait for seconds at the most. */
constexpr size_t kMostEarlier = 16;

}  // namespace

void ClockOffset::add(const ClockReading& reading) {
  const int64_t leastNs = reading.wallNs - reading.afterNs;
  const int64_t mostNs = reading.wallNs - reading.beforeNs;
  const int64_t bothLeastNs = std::max(newest_.leastNs, leastNs);
  const int64_t bothMostNs = std::min(newest_.mostNs, mostNs);
  if (newestReading_ && bothLeastNs <= bothMostNs) {
    newest_.leastNs = bothLeastNs;
    newest_.mostNs = bothMostNs;
    // The number stays what it was while nothing contradicts it: a better one would make an interval longer
    // or shorter.
    if (newest_.offsetNs < bothLeastNs || newest_.offsetNs > bothMostNs)
      newest_.offsetNs = bothLeastNs + (bothMostNs - bothLeastNs) / 2;
  } else {
    Distance next{.leastNs = leastNs, .mostNs = mostNs, .offsetNs = leastNs + (mostNs - leastNs) / 2};
    if (newestReading_) {
      ++steps_;
      next.fromNs = newestReading_->beforeNs;
      newest_.untilNs = reading.afterNs;
      earlier_.push_front(newest_);
      if (earlier_.size() > kMostEarlier) earlier_.pop_back();
    }
    newest_ = next;
  }
  newestReading_ = reading;
}

std::optional<int64_t> ClockOffset::Distance::monotonicNs(int64_t wallNs) const {
  const int64_t timeNs = wallNs - offsetNs;
  const int64_t uncertainNs = mostNs - leastNs;
  const bool isBefore = fromNs && timeNs < *fromNs - uncertainNs;
  const bool isBehind = untilNs && timeNs > *untilNs + uncertainNs;
  return isBefore || isBehind ? std::nullopt : std::optional(timeNs);
}

std::optional<int64_t> ClockOffset::monotonicNs(int64_t wallNs) const {
  if (earlier_.empty()) return newest_.monotonicNs(wallNs);
  Distance now = newest_;
  now.untilNs = newestReading_->afterNs;
  std::optional<int64_t> timeNs = now.monotonicNs(wallNs);
  for (auto at = earlier_.begin(); !timeNs && at != earlier_.end(); ++at) timeNs = at->monotonicNs(wallNs);
  return timeNs;
}

}  // namespace whiteline::pacer
