#pragma once

#include <cstddef>
#include <cstdint>

#include "native/base/pacing/schedule.h"
#include "native/media/hap/movie_index.h"

namespace whiteline {

/**
 * Which frame of a movie each slot of a schedule shows, by whole numbers, so that it never drifts.
 *
 * A movie whose frames last equally long (but for the rounding of their times to ticks) and have the
 * schedule's rate is shown frame by frame. Otherwise it keeps its speed: slot k of the rate N/D shows the
 * frame at floor(k·D·timeScale / N) ticks after the beginning of the start frame. Both loop without a seam.
 */
class MovieTimeline {
 public:
  /** `index` outlives this; `startFrame` is one of its frames. */
  MovieTimeline(const MovieIndex& index, Rate rate, size_t startFrame);

  size_t frameAt(uint64_t slot) const;

 private:
  const MovieIndex& index_;
  const Rate rate_;
  const size_t startFrame_;
  const bool frameByFrame_;
};

}  // namespace whiteline
