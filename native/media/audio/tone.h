#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "native/base/pacing/schedule.h"

namespace whiteline {

// The sound that goes with the pictures: silence, and once a second a short tone by which it is found again.

constexpr int kAudioSampleRate = 48'000;
constexpr int kToneHz = 1'000;
/** -20 dBFS: the tone's peak, full scale being 1. */
constexpr float kToneAmplitude = 0.1F;
/** 40 ms. */
constexpr int kBurstSamples = kAudioSampleRate / 25;

/** Whether every slot's sound fits into a second, and so the tone once a second into slots: 1 frame per
 * second at least. */
constexpr bool fitsSound(Rate rate) {
  return rate.numerator >= rate.denominator;
}

/**
 * The sound of each slot of a source: slot k has the samples from floor(k·48000·D/N) on up to those of the
 * next slot, so that blocks in a row are exact without drift. In each frame whose number (the slot modulo
 * 2³²) is a multiple of the rate, rounded, a sine of 1 kHz begins from phase 0 and goes on for 40 ms through
 * the blocks after. What a slot sounds like depends on nothing but its number and the rate.
 */
class Tone {
 public:
  /** The rate must fit (`fitsSound`). */
  explicit Tone(Rate rate);

  /** Valid until the next call; allocates nothing. */
  std::span<const float> samplesOf(uint64_t slot);

 private:
  uint64_t firstSampleOf(uint64_t slot) const;

  Rate rate_;
  uint32_t burstIntervalFrames_;
  std::vector<float> period_;
  std::vector<float> samples_;
};

}  // namespace whiteline
