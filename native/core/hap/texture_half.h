#pragma once

#include <cstdint>

namespace whiteline {

/**
 * A number of 16 bits (1 sign, 5 exponent, 10 mantissa) as a level: below 0 becomes 0, above 1 becomes 255,
 * between them the nearest level, upwards from the middle. Exact.
 */
constexpr uint8_t levelOfHalf(uint16_t half) {
  constexpr uint16_t kOne = 0x3C00;
  if (half >= 0x8000) return 0;
  if (half >= kOne) return 255;
  const int exponent = half >> 10;
  const uint32_t mantissa = exponent == 0 ? half : (half & 0x3FFU) | 0x400U;
  // The value is mantissa / 2^shift; from 20 on, it is nearer to 0 than to 1 level.
  const int shift = 25 - (exponent == 0 ? 1 : exponent);
  if (shift >= 20) return 0;
  return static_cast<uint8_t>((mantissa * 255U + (1U << (shift - 1))) >> shift);
}

}  // namespace whiteline
