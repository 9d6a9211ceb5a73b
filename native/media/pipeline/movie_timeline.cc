#include "native/media/pipeline/movie_timeline.h"

#include "native/base/pacing/wide.h"

namespace whiteline {
namespace {

bool sameRate(Rate one, Rate other) {
  return uint64_t{one.numerator} * other.denominator == uint64_t{other.numerator} * one.denominator;
}

/** Whether every frame begins less than a tick from its place in an even division of the movie's time. */
bool evenlySpaced(const MovieIndex& index) {
  const uint64_t count = index.samples.size();
  Wide evenStart;
  for (const MovieSample& sample : index.samples) {
    const Wide start = product(count, sample.startTicks);
    if ((start > evenStart ? start - evenStart : evenStart - start) >= wide(count)) return false;
    evenStart = evenStart + wide(index.durationTicks);
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
  if (frameByFrame_) return static_cast<size_t>(divide(wide(slot) + wide(startFrame_), count).remainder);
  const uint64_t perSlot = uint64_t{rate_.denominator} * index_.timeScale;
  const Wide sinceStart = divide(product(slot, perSlot), rate_.numerator).quotient;
  const Wide ticks = wide(index_.samples[startFrame_].startTicks) + sinceStart;
  return index_.sampleAt(divide(ticks, index_.durationTicks).remainder);
}

}  // namespace whiteline
