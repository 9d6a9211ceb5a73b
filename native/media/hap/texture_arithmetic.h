#pragma once

#include <cstdint>

/**
 * The numbers of docs/hap.md in fixed point. The scalar and the vector kernels share them, and compute with
 * the same roundings, so that they give the same bytes. Nothing in here leaves a symbol behind: a kernel's
 * file is compiled for instructions that not every processor has, and the linker may take any file's copy for
 * all.
 */
namespace whiteline {

/** Full-range RGB to video levels. */
struct VideoMatrix {
  /** In 1/256. Green in two parts, one beside red and one beside blue: no two add up to more than 128. */
  int8_t lumaRed;
  int8_t lumaGreenBesideRed;
  int8_t lumaGreenBesideBlue;
  int8_t lumaBlue;
  /** Of red less green, and of blue less green, in 1/65536: grey has no colour. */
  int16_t uRed;
  int16_t uBlue;
  int16_t vRed;
  int16_t vBlue;
};

consteval int nearest(double value) {
  return static_cast<int>(value < 0 ? value - 0.5 : value + 0.5);
}

/** From the weights of red and blue in luma. */
consteval VideoMatrix videoMatrix(double red, double blue) {
  const double lumaRange = 219.0 / 255.0 * 256;
  const double chromaRange = 112.0 / 255.0 * 65536;
  const int lumaRed = nearest(red * lumaRange);
  const int greenBesideRed = 126 - lumaRed;
  return {.lumaRed = static_cast<int8_t>(lumaRed),
          .lumaGreenBesideRed = static_cast<int8_t>(greenBesideRed),
          .lumaGreenBesideBlue = static_cast<int8_t>(nearest((1 - red - blue) * lumaRange) - greenBesideRed),
          .lumaBlue = static_cast<int8_t>(nearest(blue * lumaRange)),
          .uRed = static_cast<int16_t>(nearest(-red / (1 - blue) * chromaRange)),
          .uBlue = static_cast<int16_t>(nearest(chromaRange)),
          .vRed = static_cast<int16_t>(nearest(chromaRange)),
          .vBlue = static_cast<int16_t>(nearest(-blue / (1 - red) * chromaRange))};
}

constexpr VideoMatrix kVideo601 = videoMatrix(0.299, 0.114);
constexpr VideoMatrix kVideo709 = videoMatrix(0.2126, 0.0722);

/** Black, in 1/256. */
constexpr int kLumaOffset = 16 * 256;
/** Neutral chroma, in 1/256. */
constexpr int kChromaOffset = 128 * 256;

/** Thirds in a scale of 1, the least there is. */
constexpr int kThirds = 3;
/** Of 32, the largest that five bits of blue can say. */
constexpr int kMostScaleThirds = kThirds * 32;

/** One divided by the scale, as a fraction of 2¹⁵; negative, since 1 itself does not fit otherwise. */
struct ScaleFactors {
  /** By the scale in thirds. */
  int16_t of[kMostScaleThirds + 1];
};

consteval ScaleFactors scaleFactors() {
  ScaleFactors factors{};
  for (int thirds = kThirds; thirds <= kMostScaleThirds; ++thirds) {
    factors.of[thirds] = static_cast<int16_t>(-((32768 * kThirds + thirds / 2) / thirds));
  }
  return factors;
}

constexpr ScaleFactors kScaleFactors = scaleFactors();

}  // namespace whiteline
