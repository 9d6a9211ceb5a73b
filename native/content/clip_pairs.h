#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "native/media/quality/quality_check.h"

namespace whiteline {

/** Frames of a Hap clip against what its generator paints. */
struct ClipPairsOptions {
  std::string path;
  std::string generator;
  /** Of the clip that are compared. */
  std::vector<uint32_t> frames;
};
/** Opened with the first pair. @throws Error INVALID_ARGUMENT for an unknown generator */
std::unique_ptr<PairSource> clipPairs(ClipPairsOptions options);

}  // namespace whiteline
