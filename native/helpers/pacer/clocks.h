#pragma once

#include <cstdint>
#include <ctime>

#include "native/helpers/pacer/clock_offset.h"

namespace whiteline::pacer {

inline int64_t clockNs(int clockId) {
  timespec now{};
  clock_gettime(clockId, &now);
  return int64_t{now.tv_sec} * 1'000'000'000 + now.tv_nsec;
}

inline ClockReading readClocks() {
  return {clockNs(CLOCK_MONOTONIC), clockNs(CLOCK_REALTIME), clockNs(CLOCK_MONOTONIC)};
}

/** Processor time of all threads of this process. */
inline int64_t processorNs() {
  return clockNs(CLOCK_PROCESS_CPUTIME_ID);
}

}  // namespace whiteline::pacer
