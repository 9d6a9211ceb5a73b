#include "native/media/audio/burst_detector.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "native/media/audio/tone.h"

namespace whiteline {
namespace {

constexpr uint32_t kLeastSampleRate = 8000;
constexpr double kSilenceSeconds = 0.020;
/** Whole periods, so that the sums of sine and cosine do not mix. */
constexpr double kMeasuredSeconds = 0.004;
/** −40 dBFS, which the burst exceeds in its second sample at 48 kHz. */
constexpr float kLoud = kToneAmplitude / 10;
constexpr double kLeastAmplitude = kToneAmplitude / 2;
constexpr double kMostAmplitude = kToneAmplitude * 2;
/** Share of the tone in all that was heard. */
constexpr double kLeastPurity = 0.9;
/** What is loud enough lies in the first rise of the tone, or slightly before it for noise. */
constexpr double kEarliestPhase = -std::numbers::pi / 4;
constexpr double kLatestPhase = std::numbers::pi / 2;

int samplesIn(double seconds, uint32_t sampleRate) {
  return static_cast<int>(std::lround(seconds * sampleRate));
}

}  // namespace

BurstDetector::BurstDetector(uint32_t sampleRate)
    : radiansPerSample_(2 * std::numbers::pi * kToneHz / std::max(sampleRate, kLeastSampleRate)),
      turnCos_(std::cos(radiansPerSample_)),
      turnSin_(std::sin(radiansPerSample_)),
      silenceSamples_(samplesIn(kSilenceSeconds, sampleRate)),
      measuredSamples_(sampleRate < kLeastSampleRate ? 0 : samplesIn(kMeasuredSeconds, sampleRate)) {}

const std::vector<int64_t>& BurstDetector::hear(std::span<const float> samples) {
  onsets_.clear();
  blockBegin_ = heard_;
  for (const float sample : samples) {
    if (isMeasuring_) measure(sample);
    if (std::abs(sample) >= kLoud) {
      if (quietSamples_ >= silenceSamples_ && !isMeasuring_ && measuredSamples_ > 0) {
        isMeasuring_ = true;
        loudFrom_ = heard_;
        loudBlockBegin_ = blockBegin_;
        summedSamples_ = 0;
        phaseCos_ = 1;
        phaseSin_ = cosSum_ = sinSum_ = squareSum_ = 0;
        measure(sample);
      }
      quietSamples_ = 0;
    } else if (quietSamples_ < silenceSamples_) {
      ++quietSamples_;
    }
    ++heard_;
  }
  return onsets_;
}

void BurstDetector::measure(float sample) {
  cosSum_ += sample * phaseCos_;
  sinSum_ += sample * phaseSin_;
  squareSum_ += static_cast<double>(sample) * sample;
  const double turned = phaseCos_ * turnCos_ - phaseSin_ * turnSin_;
  phaseSin_ = phaseSin_ * turnCos_ + phaseCos_ * turnSin_;
  phaseCos_ = turned;
  if (++summedSamples_ == measuredSamples_) judge();
}

/** With A·sin(ωm + φ) over n samples from the first loud one: sinSum = n/2·A·cos φ, cosSum = n/2·A·sin φ. */
void BurstDetector::judge() {
  isMeasuring_ = false;
  const double length = std::hypot(cosSum_, sinSum_);
  const double amplitude = 2 * length / measuredSamples_;
  const double toneSquares = amplitude * length;
  const double phase = std::atan2(cosSum_, sinSum_);
  const bool isBurst = amplitude >= kLeastAmplitude && amplitude <= kMostAmplitude &&
                       toneSquares >= kLeastPurity * squareSum_ && phase >= kEarliestPhase &&
                       phase <= kLatestPhase;
  if (!isBurst) return;
  const auto samplesBefore = static_cast<int64_t>(std::lround(phase / radiansPerSample_));
  onsets_.push_back(std::max(loudBlockBegin_, loudFrom_ - samplesBefore));
}

}  // namespace whiteline
