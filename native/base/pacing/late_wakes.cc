#include "native/base/pacing/late_wakes.h"

#include "native/base/pacing/time_units.h"

namespace whiteline {

std::optional<Standstill> standstillOf(const LookSleep& sleep) {
  const int64_t lateNs = sleep.wokeNs - sleep.dueNs;
  if (lateNs < kLeastLateNs) return std::nullopt;
  const bool isKnown = sleep.queuedBeforeNs && sleep.queuedAfterNs;
  const int64_t queuedNs = isKnown ? *sleep.queuedAfterNs - *sleep.queuedBeforeNs : lateNs;
  // A hypervisor that takes a processor keeps its timers: nothing is in the queue meanwhile.
  const int64_t waitedNs = queuedNs + sleep.stolenNs;
  const auto kind = lateNs - waitedNs > waitedNs ? Standstill::Kind::Stopped : Standstill::Kind::Starved;
  return Standstill{kind, sleep.dueNs, sleep.wokeNs};
}

std::vector<Standstill> LateWakes::add(const LookSleep& sleep) {
  while (!recent_.empty() && recent_.front().standstill.toNs <= sleep.wokeNs - kNsPerSecond)
    recent_.pop_front();
  const std::optional<Standstill> late = standstillOf(sleep);
  if (!late) return {};
  recent_.push_back({*late, false});
  int64_t lostNs = 0;
  for (const Late& one : recent_) lostNs += one.standstill.lengthNs();
  const bool allCount = lostNs >= kLeastLostOfSecondNs;
  std::vector<Standstill> found;
  for (Late& one : recent_) {
    if (one.isReported || !(allCount || one.standstill.lengthNs() >= kLeastStandstillNs)) continue;
    one.isReported = true;
    found.push_back(one.standstill);
  }
  return found;
}

}  // namespace whiteline
