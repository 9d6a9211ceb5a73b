#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "native/base/pacing/wide.h"

namespace whiteline::pacer {

/**
 * Lengths by how far they are from a nominal one. Up to 131,071 ns from it each nanosecond has a bin of its
 * own; beyond, a bin is 1/8192 of that distance wide and stands for its middle. Takes up to 68 s, longer ones
 * as such.
 */
class DeviationHistogram {
 public:
  DeviationHistogram();

  void add(int64_t deviationNs);
  uint64_t count() const { return count_; }

  /** The smallest that at least this share of all do not exceed (nearest rank); 0 of none. */
  int64_t quantile(double share) const;

  /** Every bin that is not empty, in rising order. */
  template <class Visit>
  void visit(Visit&& visit) const {
    for (size_t bin = below_.size(); bin > 0; --bin)
      if (below_[bin - 1] > 0) visit(-middleOf(bin - 1), below_[bin - 1]);
    for (size_t bin = 0; bin < above_.size(); ++bin)
      if (above_[bin] > 0) visit(middleOf(bin), above_[bin]);
  }

 private:
  static size_t binOf(uint64_t distanceNs);
  static int64_t middleOf(size_t bin);

  /** Distances from 0 on, and those below 0. */
  std::vector<uint32_t> above_;
  std::vector<uint32_t> below_;
  uint64_t count_ = 0;
};

/** Figures of intervals around a nominal one. Exact, but for quantiles far from it: see `DeviationHistogram`.
 */
class IntervalFigures {
 public:
  explicit IntervalFigures(int64_t nominalNs) : nominalNs_(nominalNs) {}

  void add(int64_t intervalNs);

  uint64_t count() const { return histogram_.count(); }
  /** Those below: NaN, or 0, of none. */
  double meanNs() const;
  /** Of a sample (n − 1). */
  double standardDeviationNs() const;
  int64_t minNs() const { return nominalNs_ + leastNs_; }
  int64_t maxNs() const { return nominalNs_ + mostNs_; }
  int64_t quantileNs(double share) const { return nominalNs_ + histogram_.quantile(share); }

  /** By their length, in the bins of the console (app/protocol/time-bins.ts). */
  struct TimeBins {
    size_t firstBin = 0;
    std::vector<uint64_t> counts;
  };
  TimeBins timeBins() const;

 private:
  int64_t nominalNs_;
  DeviationHistogram histogram_;
  int64_t leastNs_ = 0;
  int64_t mostNs_ = 0;
  // Whole numbers: nothing is rounded before the end. 64 bits hold the sum, and 128 the squares, of any run:
  // intervals across a step of a clock are in none.
  int64_t sumNs_ = 0;
  Wide squares_;
};

}  // namespace whiteline::pacer
