#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "native/content/generator.h"

namespace whiteline::content {

inline constexpr double kTwoPi = 6.283185307179586;

/** Turns speeds into motion that has come full circle when the clip is over. */
class LoopClock {
 public:
  explicit LoopClock(const ClipShape& shape)
      : frames_(shape.frames),
        seconds_(static_cast<double>(shape.frames) * shape.rate.denominator / shape.rate.numerator) {}

  /** Whole turns in the clip, as near to this speed as can be, but at least one; the sign is kept. */
  int turns(double turnsPerSecond) const {
    const int whole = std::max(1, static_cast<int>(std::lround(std::abs(turnsPerSecond) * seconds_)));
    return turnsPerSecond < 0 ? -whole : whole;
  }

  /** How much of the clip is over, 0 up to 1. */
  double phase(uint32_t frame) const { return static_cast<double>(frame) / frames_; }
  double seconds() const { return seconds_; }

 private:
  uint32_t frames_;
  double seconds_;
};

/** The part of a turn, 0 up to 1, also of negative numbers. */
inline double turnPart(double turns) {
  return turns - std::floor(turns);
}

/** −1 to 1, `turns` times a full circle. */
inline double wave(double turns) {
  return std::sin(kTwoPi * turns);
}

}  // namespace whiteline::content
