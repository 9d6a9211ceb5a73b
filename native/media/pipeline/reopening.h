#pragma once

#include <algorithm>
#include <cstdint>

#include "native/base/pacing/time_units.h"

namespace whiteline {

/** When a movie's file is opened anew: after a second without a good picture, and then once a second. The
 * time is given. */
class Reopening {
 public:
  void noteGood() { lostSinceNs_ = kNever; }
  void noteDamage(int64_t nowNs) {
    if (lostSinceNs_ == kNever) lostSinceNs_ = nowNs;
  }

  /** Whether to do it now, which is then taken as done. */
  bool isDue(int64_t nowNs) {
    if (lostSinceNs_ == kNever || nowNs - std::max(lostSinceNs_, newestNs_) < kAfterNs) return false;
    newestNs_ = nowNs;
    return true;
  }

 private:
  static constexpr int64_t kAfterNs = kNsPerSecond;
  static constexpr int64_t kNever = 0;

  /** The first damage since the newest good picture. */
  int64_t lostSinceNs_ = kNever;
  int64_t newestNs_ = kNever;
};

}  // namespace whiteline
