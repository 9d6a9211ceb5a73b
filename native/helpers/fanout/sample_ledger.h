#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "native/helpers/shared/gaps.h"

namespace whiteline::fanout {

/** Which of the samples 0, 1, 2 … came, how often, and in which order; exact as `helpers::Gaps` are. */
class SampleLedger {
 public:
  void add(int64_t number);
  /** Says how many were sent: those after the last that arrived are lost too. */
  void expect(int64_t samples);

  /** Different ones. */
  uint64_t received() const { return received_; }
  uint64_t lost() const { return gaps_.missing(); }
  uint64_t duplicated() const { return duplicated_; }
  /** That came after one of a higher number. */
  uint64_t reordered() const { return reordered_; }
  /** The first and the last number of each of the first gaps. */
  std::vector<int64_t> lostRanges(size_t most) const;

 private:
  int64_t next_ = 0;
  uint64_t received_ = 0;
  uint64_t duplicated_ = 0;
  uint64_t reordered_ = 0;
  helpers::Gaps gaps_;
};

}  // namespace whiteline::fanout
