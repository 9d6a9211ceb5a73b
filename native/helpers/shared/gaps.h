#pragma once

#include <cstdint>
#include <map>

namespace whiteline::helpers {

/**
 * The numbers that did not come yet, of those that should have. Nothing is allocated while all come in order.
 * Exact, unless more than 65,536 gaps are open at once: then the oldest is given up, and what comes of it
 * later is not in a gap.
 */
class Gaps {
 public:
  /** From `first` to `last`, none of which is in a gap. */
  void open(int64_t first, int64_t last);
  /** A number that came: false if it was in no gap. */
  bool take(int64_t number);

  /** Of all numbers, those that were given up too. */
  uint64_t missing() const { return missing_; }
  /** The last of each gap by its first. */
  const std::map<int64_t, int64_t>& all() const { return gaps_; }

 private:
  std::map<int64_t, int64_t> gaps_;
  uint64_t missing_ = 0;
};

}  // namespace whiteline::helpers
