#pragma once

#include <cstdint>
#include <vector>

#include "native/media/hap/mov_box.h"

namespace whiteline {

/** 18 hours at 60 frames a second. */
constexpr uint32_t kMostMovieFrames = 4'000'000;

/** The frames of a track in the order in which they are stored, before any edit list. */
struct MovSamples {
  struct Place {
    uint64_t offset;
    uint32_t sizeBytes;
  };
  std::vector<Place> places;
  /** When each begins, in ticks of the track's time scale, and after the last one the track's end. */
  std::vector<uint64_t> startTicks;
  /** How long the last frame lasts that lasts at all. */
  uint64_t frameTicks;
  /** That the sizes count, and no chunk holds. */
  uint32_t framesWithoutPlace;
  /** The chunks hold more than the sizes count. */
  bool chunksHoldMore;

  uint64_t endTicks() const { return startTicks.back(); }
};

/** Which sample description the first frame has, counted from 1. @throws MovieError */
uint32_t firstDescriptionIndex(const MovBox& stbl);

/**
 * Reads the sample tables (stsz, stsc, stco or co64, stts) and checks them against each other. All frames
 * have one sample description. Each lies within the file, and all together are not larger than it, so that
 * memory is bounded by what the file holds.
 * @throws MovieError
 */
MovSamples readSamples(const MovBox& stbl, uint64_t fileBytes);

}  // namespace whiteline
