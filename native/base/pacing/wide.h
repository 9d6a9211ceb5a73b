#pragma once

#include <compare>
#include <cstdint>

namespace whiteline {

/**
 * A whole number of 128 bits: what a product of two numbers of 64 bits takes. Compilers have types of their
 * own for it, but not all of them.
 */
struct Wide {
  uint64_t high = 0;
  uint64_t low = 0;

  friend constexpr auto operator<=>(const Wide&, const Wide&) = default;

  /** Without what has no room, as of any unsigned number. */
  friend constexpr Wide operator+(Wide one, Wide other) {
    const uint64_t low = one.low + other.low;
    return {one.high + other.high + (low < one.low ? 1 : 0), low};
  }
  friend constexpr Wide operator-(Wide one, Wide other) {
    return {one.high - other.high - (one.low < other.low ? 1 : 0), one.low - other.low};
  }

  /** The nearest, or one beside it. */
  explicit constexpr operator double() const {
    return static_cast<double>(high) * 0x1p64 + static_cast<double>(low);
  }
};

constexpr Wide wide(uint64_t number) {
  return {0, number};
}

constexpr Wide product(uint64_t one, uint64_t other) {
  constexpr uint64_t kLowHalf = 0xFFFF'FFFF;
  const uint64_t lows = (one & kLowHalf) * (other & kLowHalf);
  // Neither sum has more than 64 bits: (2³² − 1)² + 2 · (2³² − 1) = 2⁶⁴ − 1.
  const uint64_t middle = (one >> 32) * (other & kLowHalf) + (lows >> 32);
  const uint64_t middles = (one & kLowHalf) * (other >> 32) + (middle & kLowHalf);
  return {(one >> 32) * (other >> 32) + (middle >> 32) + (middles >> 32),
          (middles << 32) + (lows & kLowHalf)};
}

struct WideDivision {
  Wide quotient;
  uint64_t remainder;
};

/** Rounded down. `divisor` is at least 1. */
constexpr WideDivision divide(Wide dividend, uint64_t divisor) {
  const uint64_t high = dividend.high / divisor;
  uint64_t remainder = dividend.high % divisor;
  uint64_t low = dividend.low;
  // Most numbers of a schedule have no more than 64 bits for days.
  if (remainder == 0) return {{high, low / divisor}, low % divisor};
  // By hand, a bit at a time: of `low` the dividend's bits leave at one end, and the quotient's come in at
  // the other.
  for (int bit = 0; bit < 64; ++bit) {
    const bool hasBit64 = remainder >> 63 != 0;
    remainder = remainder << 1 | low >> 63;
    low <<= 1;
    if (hasBit64 || remainder >= divisor) {
      remainder -= divisor;
      low |= 1;
    }
  }
  return {{high, low}, remainder};
}

}  // namespace whiteline
