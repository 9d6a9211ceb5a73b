#include "native/helpers/fanout/measured_time.h"

#include <algorithm>
#include <string>
#include <utility>

#include "native/base/pacing/clock.h"
#include "native/base/platform/error.h"
#include "native/helpers/fanout/settings.h"

namespace whiteline::fanout {
namespace {

constexpr int64_t kSecondNs = 1'000'000'000;
constexpr int64_t kMostDurationNs = 86'400 * kSecondNs;

}  // namespace

MeasuredTime MeasuredTime::of(const helpers::Command& command) {
  MeasuredTime time;
  time.startNs = std::stoll(command.text("startNs"));
  time.durationNs = wholeNumberIn(command, "durationNs", 1, kMostDurationNs);
  return time;
}

std::string momentText(int64_t ns) {
  return ns == 0 ? "" : std::to_string(ns);
}

SecondWatch::SecondWatch(const MeasuredTime& time, std::function<void(int64_t)> onSecond)
    : time_(time), onSecond_(std::move(onSecond)), thread_([this] { run(); }) {}

void SecondWatch::run() {
  sleepUntilNs(time_.startNs);
  ProcessorTime processor;
  processor.begin();
  for (int64_t second = 0; second < time_.durationNs / kSecondNs; ++second) {
    sleepUntilNs(time_.startNs + (second + 1) * kSecondNs);
    onSecond_(second);
  }
  sleepUntilNs(time_.endNs());
  used_ = processor.end();
}

ProcessorTime::Used SecondWatch::finish() {
  if (thread_.joinable()) thread_.join();
  return used_;
}

}  // namespace whiteline::fanout
