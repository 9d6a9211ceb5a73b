#pragma once

#include <cstdint>
#include <vector>

namespace whiteline::content {

/**
 * Small random numbers around 0, bell-shaped, at the price of a look-up: one list is made once, and each row
 * of each frame begins at its own place in it. Without state after construction, so threads may share it.
 */
class Grain {
 public:
  using Number = int16_t;

  /** For rows of up to `width` numbers; `deviation` is their standard deviation, in levels. */
  Grain(int width, double deviation, uint64_t seed);

  /** `width` numbers. */
  const Number* row(uint32_t frame, int y) const;

 private:
  uint64_t seed_;
  std::vector<Number> numbers_;
};

}  // namespace whiteline::content
