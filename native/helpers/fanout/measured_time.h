#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <thread>

#include "native/helpers/fanout/processor_time.h"
#include "native/helpers/shared/json.h"

namespace whiteline::fanout {

/** The time in which a row measures, of the monotonic clock. */
struct MeasuredTime {
  int64_t startNs = 0;
  int64_t durationNs = 0;

  int64_t endNs() const { return startNs + durationNs; }
  /** Of the command `begin`. @throws MessageError, Error BAD_INPUT */
  static MeasuredTime of(const helpers::Command& command);
};

/** A time since boot as messages carry it: a number of JSON has no room for all its digits. "" for 0, which
 * is none. */
std::string momentText(int64_t ns);

/** Calls at the end of each whole second of the measured time, and takes the processor time of all of it. */
class SecondWatch {
 public:
  /** @param onSecond with the number of the second, on a thread of its own */
  SecondWatch(const MeasuredTime& time, std::function<void(int64_t)> onSecond);

  /** Waits until the measured time is over. */
  ProcessorTime::Used finish();

 private:
  void run();

  MeasuredTime time_;
  std::function<void(int64_t)> onSecond_;
  ProcessorTime::Used used_{};
  std::jthread thread_;
};

}  // namespace whiteline::fanout
