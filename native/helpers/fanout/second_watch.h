#pragma once

#include <cstdint>
#include <functional>
#include <thread>

#include "native/base/pacing/standstill_watch.h"
#include "native/helpers/fanout/measured_time.h"
#include "native/helpers/fanout/processor_time.h"

namespace whiteline::fanout {

/**
 * Calls at the end of each whole second of the measured time, takes the processor time of all of it, and
 * finds out whether this process stood still meanwhile.
 */
class SecondWatch {
 public:
  struct Seen {
    ProcessorTime::Used used;
    StandstillTime standstill;
  };

  /** @param onSecond with the number of the second, on a thread of its own */
  SecondWatch(const MeasuredTime& time, std::function<void(int64_t)> onSecond);

  /** Waits until the measured time is over. */
  Seen finish();

 private:
  void run();

  MeasuredTime time_;
  std::function<void(int64_t)> onSecond_;
  Seen seen_{};
  StandstillWatch standstills_;
  std::jthread thread_;
};

}  // namespace whiteline::fanout
