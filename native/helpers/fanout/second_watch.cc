#include "native/helpers/fanout/second_watch.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "native/base/pacing/clock.h"

namespace whiteline::fanout {
namespace {

constexpr int64_t kSecondNs = 1'000'000'000;
/** Often enough for any stop that matters, and no load where there are a hundred processes. */
constexpr int64_t kLookEveryNs = 100'000'000;
/** So late a timer may be on a machine that does nothing wrong. */
constexpr int64_t kLeastStandstillNs = 5'000'000;

}  // namespace

SecondWatch::SecondWatch(const MeasuredTime& time, std::function<void(int64_t)> onSecond)
    : time_(time), onSecond_(std::move(onSecond)), thread_([this] { run(); }) {}

void SecondWatch::run() {
  sleepUntilNs(time_.startNs);
  ProcessorTime processor;
  processor.begin();
  for (int64_t second = 0; second < time_.durationNs / kSecondNs; ++second) {
    sleepUntil(time_.startNs + (second + 1) * kSecondNs);
    onSecond_(second);
  }
  sleepUntil(time_.endNs());
  seen_.used = processor.end();
}

void SecondWatch::sleepUntil(int64_t deadlineNs) {
  for (int64_t nowNs = monotonicNs(); nowNs < deadlineNs;) {
    const std::optional<ThreadTime> before = threadTime();
    const int64_t dueNs = std::min(deadlineNs, nowNs + kLookEveryNs);
    sleepUntilNs(dueNs);
    nowNs = monotonicNs();
    const std::optional<ThreadTime> after = threadTime();
    if (!before || !after) continue;
    const int64_t stoodStillNs = nowNs - dueNs - (after->queuedNs - before->queuedNs);
    if (stoodStillNs >= kLeastStandstillNs) seen_.stoodStillNs += stoodStillNs;
  }
}

SecondWatch::Seen SecondWatch::finish() {
  if (thread_.joinable()) thread_.join();
  return seen_;
}

}  // namespace whiteline::fanout
