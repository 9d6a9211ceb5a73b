#include "native/media/pipeline/movie_timeline.h"

namespace whiteline {
namespace {

__extension__ using Wide = unsigned __int128;

bool sameRate(Rate one, Rate other) {
  return uint64_t{one.numerator} * other.denominator == uint64_t{other.numerator} * one.denominator;
}

/** Whether every frame begins less than a tick from its place in an even division of the movie's time. */
bool evenlySpaced(const MovieIndex& index) {
  const Wide count = index.samples.size();
  Wide evenStart = 0;
  for (const MovieSample& sample : index.samples) {
    const Wide start = count * sample.startTicks;
    if ((start > evenStart ? start - evenStart : evenStart - start) >= count) return false;
    evenStart += index.durationTicks;
  }
  return true;
}

}  // namespace

MovieTimeline::MovieTimeline(const MovieIndex& index, Rate rate, size_t startFrame)
    : index_(index),
      rate_(rate),
      startFrame_(startFrame),
      frameByFrame_(sameRate(index.rate, rate) && evenlySpaced(index)) {}

size_t MovieTimeline::frameAt(uint64_t slot) const {
  const size_t count = index_.samples.size();
  if (frameByFrame_) return static_cast<size_t>((Wide{slot} + startFrame_) % count);
  const Wide sinceStart = Wide{slot} * rate_.denominator * index_.timeScale / rate_.numerator;
  const Wide ticks = (index_.samples[startFrame_].startTicks + sinceStart) % index_.durationTicks;
  return index_.sampleAt(static_cast<uint64_t>(ticks));
}

}  // namespace whiteline
