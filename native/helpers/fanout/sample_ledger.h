#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

namespace whiteline::fanout {

/**
 * Which of the samples 0, 1, 2 … came, how often, and in which order. Nothing is allocated for samples that
 * come in order. Exact, unless more than 65,536 gaps are open at once: then the oldest is given up as lost.
 */
class SampleLedger {
 public:
  void add(int64_t number);
  /** So many were sent: those behind the last that came are lost too. */
  void expect(int64_t samples);

  /** Different ones. */
  uint64_t received() const { return received_; }
  uint64_t lost() const { return lost_; }
  uint64_t duplicated() const { return duplicated_; }
  /** That came after one of a higher number. */
  uint64_t reordered() const { return reordered_; }
  /** The first and the last number of each of the first gaps. */
  std::vector<int64_t> lostRanges(size_t most) const;

 private:
  void miss(int64_t first, int64_t last);

  int64_t next_ = 0;
  uint64_t received_ = 0;
  uint64_t lost_ = 0;
  uint64_t duplicated_ = 0;
  uint64_t reordered_ = 0;
  /** The last of each gap by its first. */
  std::map<int64_t, int64_t> gaps_;
};

}  // namespace whiteline::fanout
