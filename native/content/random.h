#pragma once

#include <cstdint>

namespace whiteline::content {

/** A well-mixed number for each number (the finishing step of SplitMix64). */
constexpr uint64_t mixed(uint64_t number) {
  number = (number ^ number >> 30) * 0xBF58476D1CE4E5B9;
  number = (number ^ number >> 27) * 0x94D049BB133111EB;
  return number ^ number >> 31;
}

/** The same numbers on every machine, unlike the distributions of the standard library. */
class Random {
 public:
  explicit constexpr Random(uint64_t seed) : state_(seed) {}

  constexpr uint64_t next() { return mixed(state_ += 0x9E3779B97F4A7C15); }
  /** From 0 up to 1. */
  constexpr double unit() { return static_cast<double>(next() >> 11) * 0x1p-53; }
  constexpr double between(double low, double high) { return low + unit() * (high - low); }

 private:
  uint64_t state_;
};

}  // namespace whiteline::content
