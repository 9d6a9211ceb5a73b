// Feeds arbitrary bytes to the reader of movie files, then reads and parses the first frames of what it
// accepts. A refusal is a MovieError; an index that was accepted must be sound.

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <span>

#include "native/base/platform/memory_byte_source.h"
#include "native/media/hap/hap_frame.h"
#include "native/media/hap/hap_movie.h"

namespace {

using namespace whiteline;

constexpr size_t kFramesParsed = 4;

/** Ends the process where a promise is broken, which the fuzzer reports together with the input. */
void require(bool promise) {
  if (!promise) std::abort();
}

void requireSound(const MovieIndex& index, uint64_t fileBytes) {
  require(index.width >= 1 && index.width <= 16384 && index.height >= 1 && index.height <= 16384);
  require(index.timeScale >= 1 && index.rate.numerator >= 1 && index.rate.denominator >= 1);
  require(!index.samples.empty() && index.samples.front().startTicks == 0 && index.durationTicks >= 1);
  uint64_t previousTicks = 0;
  for (const MovieSample& sample : index.samples) {
    require(sample.offset <= fileBytes && sample.sizeBytes <= fileBytes - sample.offset);
    require(sample.startTicks >= previousTicks && sample.startTicks <= index.durationTicks);
    previousTicks = sample.startTicks;
  }
  for (const uint64_t ticks : {uint64_t{0}, index.durationTicks / 2, index.durationTicks - 1, ~uint64_t{0}}) {
    const MovieSample& shown = index.samples.at(index.sampleAt(ticks));
    require(shown.startTicks <= ticks % index.durationTicks);
  }
}

void parseFrame(const HapMovie& movie, size_t frame) {
  AlignedBytes target;
  HapFrame parsed;
  try {
    parseHapFrame(movie.readFrame(frame, target), movie.index().width, movie.index().height, parsed);
  } catch (const MovieError& error) {
    require(error.code() == "MOVIE_DAMAGED");
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  try {
    const HapMovie movie(std::make_unique<MemoryByteSource>(std::span(data, size)));
    requireSound(movie.index(), size);
    const size_t frames = std::min(kFramesParsed, movie.index().samples.size());
    for (size_t frame = 0; frame < frames; ++frame) parseFrame(movie, frame);
  } catch (const MovieError& error) {
    require(error.byte() <= size);
  }
  return 0;
}
