#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "native/media/hap/mov_box.h"
#include "native/media/hap/mov_samples.h"
#include "native/media/hap/movie_index.h"

namespace whiteline {

/** A piece of the track that is played. */
struct MovEdit {
  /** In ticks of the movie's time scale. */
  uint64_t durationMovieTicks;
  /** In ticks of the track's time scale. */
  uint64_t startTicks;
};

/**
 * As many as the box has room for, whatever it counts. A time without a picture before the first of them is
 * left out: it is a delay against sound, which is not played.
 * @throws MovieError MOVIE_UNSUPPORTED for pieces that are played at another speed, or frozen, and for a time
 * without a picture between them
 */
std::vector<MovEdit> readEdits(const MovBox& elst);

/** The frames in order of showing. */
struct MovTimeline {
  std::vector<MovieSample> samples;
  uint64_t durationTicks;
};

/** All frames, each once. */
MovTimeline playedWhole(const MovSamples& samples);

/**
 * Plays the edits one after the other. An edit shows the frames that begin within it, the first of them at
 * once. The movie's time scale is often the coarser one, so the next edit begins when the last frame of this
 * one ends, if that is within one of its ticks; otherwise the last frame is shown on, or cut. The last edit
 * ends with its last frame at the latest. One edit without a duration plays to the track's end.
 * @throws MovieError
 */
MovTimeline playedEdits(const MovSamples& samples, const std::vector<MovEdit>& edits, uint32_t trackScale,
                        uint32_t movieScale, uint64_t editsByte);

}  // namespace whiteline
