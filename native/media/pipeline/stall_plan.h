#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "native/base/pacing/schedule.h"
#include "native/media/pipeline/faults.h"

namespace whiteline {

/** The stalls of one receiver that are still to come: each happens once, with the first captured frame of its
 * range. */
class StallPlan {
 public:
  void replace(std::vector<FrameRange> stalls) { stalls_ = std::move(stalls); }

  /**
   * Until when nothing is fetched after this capture: one frame period after the last frame of its range,
   * counted from the capture. Nothing for a frame of no range, and at an unknown rate.
   */
  std::optional<int64_t> stallUntilNs(uint32_t frameNumber, int64_t captureNs, Rate rate);

 private:
  std::vector<FrameRange> stalls_;
};

}  // namespace whiteline
