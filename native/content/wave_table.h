#pragma once

#include <array>
#include <cmath>
#include <cstdint>

namespace whiteline::content {

/** A sine by look-up. An angle is a whole number whose 2³² are one turn, so that it wraps by itself. */
class WaveTable {
 public:
  WaveTable() {
    for (size_t index = 0; index < kEntries; ++index) {
      values_[index] =
          static_cast<int16_t>(std::lround(32767 * std::sin(6.283185307179586 * index / kEntries)));
    }
  }

  /** −32767 to 32767. */
  int at(uint32_t angle) const { return values_[angle >> kShift]; }

  static uint32_t angleOf(double turns) {
    return static_cast<uint32_t>(static_cast<int64_t>(std::llround((turns - std::floor(turns)) * 0x1p32)));
  }

 private:
  static constexpr int kShift = 20;
  static constexpr size_t kEntries = size_t{1} << (32 - kShift);
  std::array<int16_t, kEntries> values_;
};

}  // namespace whiteline::content
