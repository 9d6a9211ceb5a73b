#pragma once

#include <cstdint>

namespace whiteline {

/** Frames per second as a fraction, e.g. 60000/1001. */
struct Rate {
  uint32_t numerator;
  uint32_t denominator;
};

/**
 * The absolute schedule of a source: slot k falls at start + floor(k·D·10⁹ / N). Computed from k each time in
 * 128 bits, so it is exact and never drifts.
 */
class Schedule {
 public:
  /** Both terms of `rate` are at least 1. */
  Schedule(int64_t startNs, Rate rate);

  int64_t slotTimeNs(uint64_t slot) const;
  /** The time of the next slot: by then a submit of `slot` must have begun. */
  int64_t deadlineNs(uint64_t slot) const { return slotTimeNs(slot + 1); }
  /** The largest slot whose time is not after `nowNs`; 0 before the start. */
  uint64_t slotAt(int64_t nowNs) const;

 private:
  int64_t startNs_;
  Rate rate_;
};

}  // namespace whiteline
