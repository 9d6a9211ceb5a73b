#pragma once

#include <array>
#include <cstdint>

namespace whiteline {

constexpr uint16_t kHalfOfOne = 0x3C00;

/**
 * A number of 16 bits (1 sign, 5 exponent, 10 mantissa) as a level: below 0 becomes 0, above 1 becomes 255,
 * between them the nearest level, upwards from the middle. Exact.
 */
constexpr uint8_t levelOfHalf(uint16_t half) {
  if (half >= 0x8000) return 0;
  if (half >= kHalfOfOne) return 255;
  const int exponent = half >> 10;
  const uint32_t mantissa = exponent == 0 ? half : (half & 0x3FFU) | 0x400U;
  // The value is mantissa / 2^shift; from 20 on, it is nearer to 0 than to 1 level.
  const int shift = 25 - (exponent == 0 ? 1 : exponent);
  if (shift >= 20) return 0;
  return static_cast<uint8_t>((mantissa * 255U + (1U << (shift - 1))) >> shift);
}

/** The same for numbers that are not negative, looked up: the greatest index stands for all above. */
using HalfLevels = std::array<uint8_t, kHalfOfOne + 1>;

constexpr HalfLevels halfLevels() {
  HalfLevels levels{};
  for (uint16_t half = 0; half <= kHalfOfOne; ++half) levels[half] = levelOfHalf(half);
  return levels;
}

}  // namespace whiteline
