#pragma once

#include <concepts>
#include <cstdint>
#include <optional>

#include "native/base/pacing/late_wakes.h"

namespace whiteline {

/** What a thread knows when it wakes. */
struct WakeMoment {
  int64_t wokeNs;
  /** How long the thread waited for a processor in its life; empty: the system does not say. */
  std::optional<int64_t> queuedNs;
  /** What the hypervisor took of all processors since the moment before. */
  int64_t stolenNs = 0;
};

/**
 * Reads the clock and the waiting time as of one moment. A thread that loses its processor between the two
 * readings would find its wait in this piece and its delay in the next, which would then look stopped: it
 * reads again.
 *
 * @param stolenTime is given the time and whether the wake is late
 */
WakeMoment readWakeMoment(int64_t dueNs, std::invocable auto&& clock, std::invocable auto&& queuedTime,
                          std::invocable<int64_t, bool> auto&& stolenTime) {
  constexpr int64_t kLongestReadingNs = 2'000'000;
  constexpr int kMostReadings = 4;
  int64_t stolenNs = 0;
  for (int reading = 1;; ++reading) {
    const int64_t wokeNs = clock();
    const std::optional<int64_t> queuedNs = queuedTime();
    stolenNs += stolenTime(wokeNs, wokeNs - dueNs >= kLeastLateNs);
    if (clock() - wokeNs < kLongestReadingNs || reading == kMostReadings) return {wokeNs, queuedNs, stolenNs};
  }
}

}  // namespace whiteline
