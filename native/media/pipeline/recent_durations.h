#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

namespace whiteline {

/** How long something took of late: the median of the newest five times, which one hiccup does not move. */
class RecentDurations {
 public:
  void add(int64_t durationNs) {
    newest_[added_ % kKept] = durationNs;
    ++added_;
  }

  /** 0 while nothing is known. */
  int64_t medianNs() const {
    const size_t count = std::min(added_, kKept);
    if (count == 0) return 0;
    std::array<int64_t, kKept> sorted = newest_;
    std::sort(sorted.begin(), sorted.begin() + count);
    return sorted[count / 2];
  }

 private:
  static constexpr size_t kKept = 5;

  std::array<int64_t, kKept> newest_{};
  size_t added_ = 0;
};

}  // namespace whiteline
