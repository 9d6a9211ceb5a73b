#pragma once

#include <cstdint>
#include <functional>
#include <thread>

#include "native/helpers/fanout/measured_time.h"
#include "native/helpers/fanout/processor_time.h"

namespace whiteline::fanout {

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
