#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "native/media/hap/mov_box.h"
#include "native/media/hap/mov_samples.h"
#include "native/media/hap/movie_index.h"

namespace whiteline {

/** A piece of the track that is played, or a time without a picture. */
struct MovEdit {
  /** In ticks of the movie's time scale; 0: to the track's end. */
  uint64_t durationMovieTicks;
  /** In ticks of the track's time scale; none: nothing is shown. */
  std::optional<uint64_t> startTicks;
};

/** @throws MovieError MOVIE_UNSUPPORTED for pieces that are played at another speed, or frozen */
std::vector<MovEdit> readEdits(const MovBox& elst);

/** The frames in order of showing. */
struct MovTimeline {
  std::vector<MovieSample> samples;
  uint64_t durationTicks;
};

/** All frames, each once. */
MovTimeline playedWhole(const MovSamples& samples);

/**
 * Plays the edits one after the other. A time without a picture before the first of them is left out (it is a
 * delay against sound, which is not played); a later one shows the last frame on. The movie's time scale is
 * often the coarser one, so an edit that ends within one of its ticks of a frame's border ends there.
 * @throws MovieError
 */
MovTimeline playedEdits(const MovSamples& samples, const std::vector<MovEdit>& edits, uint32_t trackScale,
                        uint32_t movieScale, uint64_t editsByte);

}  // namespace whiteline
