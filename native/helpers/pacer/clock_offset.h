#pragma once

#include <cstdint>
#include <deque>
#include <optional>

namespace whiteline::pacer {

/** A reading of another clock between two of the monotonic one. */
struct ClockReading {
  int64_t beforeNs;
  int64_t wallNs;
  int64_t afterNs;
};

/**
 * Turns times of the wall clock into such of the monotonic one. The two run at the same pace, so their
 * distance is one number until the wall clock is set: then a reading contradicts those before.
 */
class ClockOffset {
 public:
  void add(const ClockReading& reading);

  /**
   * Of a stamp that was taken before the newest reading, however long it waited: by the distance that holds
   * where it puts the stamp. Stamps of one distance keep their distances exactly. Empty: none does, since the
   * clock was set twice between two readings.
   */
  std::optional<int64_t> monotonicNs(int64_t wallNs) const;
  /** By the newest distance. */
  int64_t wallNs(int64_t monotonicNs) const { return monotonicNs + newest_.offsetNs; }

  uint64_t steps() const { return steps_; }
  /** The distance is known to within this. */
  int64_t uncertaintyNs() const { return newest_.mostNs - newest_.leastNs; }

 private:
  /** What holds from one step to the next. */
  struct Distance {
    /** What all readings allow. */
    int64_t leastNs = 0;
    int64_t mostNs = 0;
    int64_t offsetNs = 0;
    // Of the monotonic clock: between the last reading before it and the first after it; empty: any.
    std::optional<int64_t> fromNs = std::nullopt;
    std::optional<int64_t> untilNs = std::nullopt;

    std::optional<int64_t> monotonicNs(int64_t wallNs) const;
  };

  Distance newest_;
  /** Those before, the newest first. */
  std::deque<Distance> earlier_;
  std::optional<ClockReading> newestReading_;
  uint64_t steps_ = 0;
};

}  // namespace whiteline::pacer
