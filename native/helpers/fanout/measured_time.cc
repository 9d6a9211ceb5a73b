#include "native/helpers/fanout/measured_time.h"

#include <string>

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

}  // namespace whiteline::fanout
