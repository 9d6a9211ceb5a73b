#include "native/helpers/pacer/undisturbed.h"

#include <algorithm>

namespace whiteline::pacer {
namespace {

/** At 8,000 packets a second, those of half a minute. */
constexpr size_t kMostWaiting = size_t{1} << 18;

}  // namespace

void UndisturbedIntervals::add(int64_t fromNs, int64_t toNs) {
  if (waiting_.size() == kMostWaiting) {
    ++dropped_;
  } else {
    waiting_.push_back({fromNs, toNs});
  }
}

void UndisturbedIntervals::exclude(const TimeWindow& window) {
  const TimeWindow widened{window.fromNs - nominalNs_, window.toNs + nominalNs_};
  const auto beginsBefore = [](const TimeWindow& one, const TimeWindow& other) {
    return one.fromNs < other.fromNs;
  };
  windows_.insert(std::upper_bound(windows_.begin(), windows_.end(), widened, beginsBefore), widened);
}

void UndisturbedIntervals::settle(int64_t untilNs) {
  for (; !waiting_.empty() && waiting_.front().toNs < untilNs - nominalNs_; waiting_.pop_front()) {
    const TimeWindow& interval = waiting_.front();
    if (isDisturbed(interval)) {
      ++excluded_;
    } else {
      figures_.add(interval.toNs - interval.fromNs);
    }
  }
}

bool UndisturbedIntervals::isDisturbed(const TimeWindow& interval) {
  while (!windows_.empty() && windows_.front().toNs < interval.fromNs) windows_.pop_front();
  for (const TimeWindow& window : windows_) {
    if (window.fromNs > interval.toNs) return false;
    if (window.toNs >= interval.fromNs) return true;
  }
  return false;
}

}  // namespace whiteline::pacer
