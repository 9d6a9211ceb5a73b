#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace whiteline {

/**
 * Finds where the bursts of tone.h begin in sound that comes block by block: 1 kHz from phase 0, about −20
 * dBFS (6 dB either way), after at least 20 ms of silence, which is all below −40 dBFS. A burst counts after
 * 4 ms of clean tone: its phase then says where it began, which is more exact than the first sample that is
 * loud enough, and to one sample for a tone without noise.
 */
class BurstDetector {
 public:
  /** Below 8 kHz nothing is found. */
  explicit BurstDetector(uint32_t sampleRate);

  /**
   * Hears the next block. The first samples of the bursts that have become certain, as positions in all sound
   * heard, in order; valid until the next call. None is before the block in which its burst was first loud
   * enough, so that noise cannot move it into the block before.
   */
  const std::vector<int64_t>& hear(std::span<const float> samples);

  /** Before this position no more burst begins. It is the end of all sound heard unless a burst may just have
   * begun. */
  int64_t settled() const { return isMeasuring_ ? loudBlockBegin_ : heard_; }

 private:
  void measure(float sample);
  void judge();

  const double radiansPerSample_;
  /** Real and imaginary part of the turn by one sample. */
  const double turnCos_;
  const double turnSin_;
  const int silenceSamples_;
  const int measuredSamples_;

  int64_t heard_ = 0;
  int64_t blockBegin_ = 0;
  /** Quiet samples up to here, at most `silenceSamples_`. */
  int quietSamples_ = 0;

  bool isMeasuring_ = false;
  /** The first loud sample, the begin of its block, and what was summed up from it on. */
  int64_t loudFrom_ = 0;
  int64_t loudBlockBegin_ = 0;
  int summedSamples_ = 0;
  double phaseCos_ = 1;
  double phaseSin_ = 0;
  double cosSum_ = 0;
  double sinSum_ = 0;
  double squareSum_ = 0;

  std::vector<int64_t> onsets_;
};

}  // namespace whiteline
