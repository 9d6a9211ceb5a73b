#pragma once

#include <atomic>
#include <cstdint>

#include "native/base/statistics/record_ring.h"
#include "native/media/pipeline/video_input.h"
#include "native/media/records/records.h"

namespace whiteline {

/**
 * Asks the sender for its time, and writes down each answer with its four times. `setRate` may be called from
 * any thread, the ring be drained by another one; the rest is the capturing thread's.
 */
class TimeAsker {
 public:
  /** `wallOffsetUs`: wall clock minus monotonic clock of this process, µs. */
  TimeAsker(RecordRing<TimeRecord>& ring, int64_t wallOffsetUs);

  /** The most questions a second; 0: none. */
  void setRate(double rateHz);

  /** Asks if it is time to. */
  void askWhenDue(VideoInput& input, int64_t nowNs);

  /** Writes an answer down, unless it is another receiver's. */
  void take(const TimeAnswer& answer, int64_t arrivedNs);

 private:
  int64_t clockUs(int64_t monotonicNs) const;

  RecordRing<TimeRecord>& ring_;
  const int64_t wallOffsetUs_;
  /** Random: answers go to all receivers of a sender, and each takes its own. */
  const uint64_t id_;
  std::atomic<int64_t> intervalNs_{0};
  int64_t askedAtNs_;
};

}  // namespace whiteline
