#include "native/helpers/fanout/second_watch.h"

#include <utility>

#include "native/base/pacing/clock.h"

namespace whiteline::fanout {
namespace {

constexpr int64_t kSecondNs = 1'000'000'000;

}  // namespace

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
  seen_.used = processor.end();
  standstills_.close();
  seen_.standstill.add(standstills_.drain(), time_.startNs, time_.endNs());
}

SecondWatch::Seen SecondWatch::finish() {
  if (thread_.joinable()) thread_.join();
  return seen_;
}

}  // namespace whiteline::fanout
