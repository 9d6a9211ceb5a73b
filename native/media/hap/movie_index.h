#pragma once

#include <cstdint>
#include <vector>

#include "native/base/pacing/schedule.h"
#include "native/base/platform/byte_source.h"
#include "native/media/hap/hap_variant.h"

namespace whiteline {

struct MovieSample {
  uint64_t offset;
  uint32_t sizeBytes;
  /** When it is shown, in ticks of the time scale from the movie's start, after the edit list. */
  uint64_t startTicks;
};

/** Where the frames of a Hap movie lie, and when each is shown. */
struct MovieIndex {
  HapVariant variant;
  /** 1 to 16384. */
  int width;
  int height;
  /** Its display matrix turns or mirrors it: players show it otherwise than it is stored. */
  bool isTurned;
  /** Width to height of a pixel as it is shown. */
  double pixelAspect;
  /** Ticks per second. */
  uint32_t timeScale;
  /** That it counts beyond those that lie somewhere: left out. */
  uint32_t framesWithoutPlace;
  /** In order of showing; at least one, at most 4 million. The first begins at 0. */
  std::vector<MovieSample> samples;
  /** End of the last frame: where a loop goes back to the start. */
  uint64_t durationTicks;
  /** In lowest terms: exact where `constantRate`, otherwise the mean, rounded to terms of 32 bits. */
  Rate rate;
  /**
   * All frames last equally long: frame k begins at k · durationTicks / samples.size(). A last frame that
   * lasts shorter than the others (writers often do not know its duration, or round it) is given their
   * duration; one that lasts longer is taken at its word, and the rate is not constant.
   */
  bool constantRate;

  /** The frame shown at a time, looped without a seam. One division where the rate is constant, otherwise a
   *  binary search. */
  size_t sampleAt(uint64_t ticks) const;
  /** Checks every sample. */
  uint32_t largestSampleBytes() const;
};

/**
 * Reads the index of a QuickTime or MP4 file: moov in front or at the end, 32- and 64-bit offsets, edit list,
 * the first video track that is Hap. What it reads is what ffmpeg shows; what it refuses beyond that, and
 * why, docs/hap.md lists. Every length is checked before use; memory is bounded by what the file itself
 * holds, and nothing recurses.
 * @throws MovieError naming the box and the byte; MOVIE_NOT_HAP names the codec that it found instead. Error
 * FILE_UNREADABLE when the device fails
 */
MovieIndex readMovieIndex(const ByteSource& file);

}  // namespace whiteline
