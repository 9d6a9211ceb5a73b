#include "native/base/platform/real_time_watch.h"

#include <optional>
#include <system_error>

#include "native/base/platform/thread_policy.h"

namespace whiteline {
namespace {

constexpr int64_t kFewestSleeps = 10;

}  // namespace

bool SleepWatch::hardlySleeps(int64_t nowNs, int64_t runnableNs) {
  const int64_t sleptNs = (nowNs - beganNs_) - (runnableNs - runnableBeforeNs_);
  const bool isFound = hasBegun_ && sleptNs * kFewestSleeps < nowNs - beganNs_;
  hasBegun_ = true;
  beganNs_ = nowNs;
  runnableBeforeNs_ = runnableNs;
  return isFound;
}

void RealTimeWatch::look(int64_t nowNs) {
  if (errorNumber_ != kNothing || !sleep_.isDue(nowNs)) return;
  const std::optional<int64_t> runnableNs = runnableTimeNs();
  if (!runnableNs || !sleep_.hardlySleeps(nowNs, *runnableNs)) return;
  if (const std::optional<std::error_code> left = leaveRealTime()) errorNumber_ = left->value();
}

std::string RealTimeWatch::finding() const {
  const int errorNumber = errorNumber_;
  if (errorNumber == kNothing) return "";
  const std::string left = "hardly slept for 0.5 s, so it ";
  if (errorNumber == 0) return left + "runs without real-time priority from then on";
  return left + "should have left its real-time priority, which the system refused: " +
         std::generic_category().message(errorNumber);
}

}  // namespace whiteline
