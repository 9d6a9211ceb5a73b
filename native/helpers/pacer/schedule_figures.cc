#include "native/helpers/pacer/schedule_figures.h"

namespace whiteline::pacer {
namespace {

constexpr size_t kMostLatest = 16;

}  // namespace

void ScheduleFigures::goOnFrom(int64_t index, int64_t stampNs) {
  schedule_.startNs = stampNs - index * schedule_.intervalNs - lastNs_;
}

void ScheduleFigures::add(int64_t index, int64_t stampNs) {
  const int64_t byNs = stampNs - (schedule_.startNs + index * schedule_.intervalNs);
  lastNs_ = byNs;
  earliestNs_ = count_ == 0 ? byNs : std::min(earliestNs_, byNs);
  latestNs_ = count_ == 0 ? byNs : std::max(latestNs_, byNs);
  ++count_;
  if (byNs > schedule_.presentationNs) ++tooLateToPresent_;
  if (byNs < -schedule_.toleranceNs) ++early_;
  if (byNs <= schedule_.toleranceNs) {
    run_ = 0;
    return;
  }
  ++late_;
  longestRun_ = std::max(longestRun_, ++run_);
  if (latest_.size() == kMostLatest && latest_.back().byNs >= byNs) return;
  const auto isLater = [](const Late& one, const Late& other) { return one.byNs > other.byNs; };
  const Late late{index, byNs};
  latest_.insert(std::upper_bound(latest_.begin(), latest_.end(), late, isLater), late);
  if (latest_.size() > kMostLatest) latest_.pop_back();
}

}  // namespace whiteline::pacer
