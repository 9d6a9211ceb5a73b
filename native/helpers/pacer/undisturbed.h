#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <vector>

#include "native/helpers/pacer/interval_figures.h"

namespace whiteline::pacer {

struct TimeWindow {
  int64_t fromNs;
  int64_t toNs;
};

/**
 * Figures of the intervals that lie outside of windows in which something else held the sender. Which these
 * are is known later than the intervals, so these wait.
 */
class UndisturbedIntervals {
 public:
  explicit UndisturbedIntervals(int64_t nominalNs) : nominalNs_(nominalNs), figures_(nominalNs) {}

  void add(int64_t fromNs, int64_t toNs);
  /**
   * In any order, none before what is settled: the sender and the hypervisor hold independently. The nominal
   * length before and after a window counts as disturbed too.
   */
  void exclude(const TimeWindow& window);
  /** No further window begins before this. */
  void settle(int64_t untilNs);

  const IntervalFigures& figures() const { return figures_; }
  uint64_t excluded() const { return excluded_; }
  /** Intervals that could wait no longer, and are in no figure. */
  uint64_t dropped() const { return dropped_; }

 private:
  bool isDisturbed(const TimeWindow& interval);

  int64_t nominalNs_;
  IntervalFigures figures_;
  std::deque<TimeWindow> waiting_;
  /** By their beginnings. */
  std::deque<TimeWindow> windows_;
  uint64_t excluded_ = 0;
  uint64_t dropped_ = 0;
};

}  // namespace whiteline::pacer
