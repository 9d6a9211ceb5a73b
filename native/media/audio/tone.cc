#include "native/media/audio/tone.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "native/base/pacing/wide.h"

namespace whiteline {
namespace {

constexpr int kPeriodSamples = kAudioSampleRate / kToneHz;
static_assert(kPeriodSamples * kToneHz == kAudioSampleRate, "a table holds whole periods");

uint32_t roundedFramesPerSecond(Rate rate) {
  return static_cast<uint32_t>((uint64_t{rate.numerator} + rate.denominator / 2) / rate.denominator);
}

}  // namespace

Tone::Tone(Rate rate)
    : rate_(rate), burstIntervalFrames_(roundedFramesPerSecond(rate)), period_(kPeriodSamples) {
  for (int index = 0; index < kPeriodSamples; ++index) {
    const double phase = 2 * std::numbers::pi * index / kPeriodSamples;
    period_[static_cast<size_t>(index)] = kToneAmplitude * static_cast<float>(std::sin(phase));
  }
  // No slot has more than the first one, rounded up.
  samples_.resize(firstSampleOf(1) + 1);
}

uint64_t Tone::firstSampleOf(uint64_t slot) const {
  return divide(product(slot, uint64_t{kAudioSampleRate} * rate_.denominator), rate_.numerator).quotient.low;
}

std::span<const float> Tone::samplesOf(uint64_t slot) {
  const uint64_t first = firstSampleOf(slot);
  const std::span<float> samples(samples_.data(), firstSampleOf(slot + 1) - first);
  const uint64_t slotsSinceBurst = static_cast<uint32_t>(slot) % burstIntervalFrames_;
  const uint64_t sinceBurst = first - firstSampleOf(slot - slotsSinceBurst);
  const uint64_t toneEnd = sinceBurst < kBurstSamples ? kBurstSamples - sinceBurst : 0;
  const size_t sounding = std::min<uint64_t>(toneEnd, samples.size());
  for (size_t index = 0; index < sounding; ++index) {
    samples[index] = period_[(sinceBurst + index) % kPeriodSamples];
  }
  std::fill(samples.begin() + static_cast<ptrdiff_t>(sounding), samples.end(), 0.0F);
  return samples;
}

}  // namespace whiteline
