#pragma once

#include <cstdint>
#include <optional>

namespace whiteline::pacer {

/** A reading of the wall clock between two of the monotonic one. */
struct ClockReading {
  int64_t beforeNs;
  int64_t wallNs;
  int64_t afterNs;
};

/**
 * Turns stamps of the wall clock into such of the monotonic one. The two run at the same pace, so their
 * distance is one number until the wall clock is set: then a reading contradicts those before.
 */
class ClockOffset {
 public:
  void add(const ClockReading& reading);

  /**
   * A stamp that was taken between the reading before the newest and the newest: before or after a step,
   * whichever puts it there. Stamps of one distance keep their distances exactly.
   */
  int64_t monotonicNs(int64_t wallNs) const;

  uint64_t steps() const { return steps_; }
  /** The distance is known to within this. */
  int64_t uncertaintyNs() const { return mostNs_ - leastNs_; }

 private:
  void begin(const ClockReading& reading);

  /** What all readings since the last step allow. */
  int64_t leastNs_ = 0;
  int64_t mostNs_ = 0;
  std::optional<int64_t> offsetNs_;
  /** Where the newest reading shows a step: that before it. */
  std::optional<int64_t> earlierNs_;
  int64_t newestNs_ = 0;
  uint64_t steps_ = 0;
};

}  // namespace whiteline::pacer
