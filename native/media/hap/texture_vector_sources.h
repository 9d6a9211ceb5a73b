#pragma once

#include <cstdint>

#include "native/media/hap/texture_arithmetic.h"
#include "native/media/hap/texture_kernel.h"
#include "native/media/hap/texture_vector_palettes.h"

// Blocks of each kind to pixels, two rows at a time. Part of texture_vector_kernel.h.

namespace whiteline {
namespace {

template <class Simd>
class Bc1Source {
 public:
  static constexpr BlockKind kKind = BlockKind::Bc1;
  static constexpr bool kAlpha = false;

  WHITELINE_INLINE Bc1Source(const BlockStrip& strip, int block)
      : palette_(Simd::load(strip.blocks + 8 * block), true) {}
  WHITELINE_INLINE Planes<Simd> rows(int pair) const {
    return palette_.rows(pair, Simd::pattern(kPatterns.opaque8));
  }

 private:
  RgbPalette<Simd> palette_;
};

template <class Simd>
class Bc3Source {
 public:
  static constexpr BlockKind kKind = BlockKind::Bc3;
  static constexpr bool kAlpha = true;

  WHITELINE_INLINE Bc3Source(const BlockStrip& strip, int block)
      : Bc3Source(BlockHalves<Simd>(strip.blocks + 16 * block)) {}
  WHITELINE_INLINE Planes<Simd> rows(int pair) const { return palette_.rows(pair, alpha_.rows(pair)); }

 private:
  WHITELINE_INLINE explicit Bc3Source(const BlockHalves<Simd>& halves)
      : alpha_(halves.first), palette_(halves.second, false) {}

  AlphaLevels<Simd> alpha_;
  RgbPalette<Simd> palette_;
};

template <class Simd>
class AlphaSource {
 public:
  static constexpr BlockKind kKind = BlockKind::Alpha;
  static constexpr bool kAlpha = false;

  WHITELINE_INLINE AlphaSource(const BlockStrip& strip, int block)
      : grey_(Simd::load(strip.blocks + 8 * block)) {}
  WHITELINE_INLINE Planes<Simd> rows(int pair) const {
    const typename Simd::Vector grey = grey_.rows(pair);
    return {grey, grey, grey, Simd::pattern(kPatterns.opaque8)};
  }

 private:
  AlphaLevels<Simd> grey_;
};

/** Scaled YCoCg: what each palette entry adds to luma in red, green and blue. */
template <class Simd>
class YCoCgSource {
 public:
  static constexpr BlockKind kKind = BlockKind::YCoCg;
  static constexpr bool kAlpha = false;
  using Vector = typename Simd::Vector;

  WHITELINE_INLINE YCoCgSource(const BlockStrip& strip, int block)
      : YCoCgSource(BlockHalves<Simd>(strip.blocks + 16 * block)) {}

  WHITELINE_INLINE Planes<Simd> rows(int pair) const {
    const Vector luma = luma_.rows(pair);
    const Vector up = colours_.indices(pair);
    const Vector down = Simd::either(up, Simd::pattern(kPatterns.upperHalf8));
    const Vector sign = Simd::pattern(kPatterns.sign8);
    const Vector green = Simd::addSigned8(Simd::exclusiveOr(luma, sign), Simd::shuffle(green_, up));
    return {moved(luma, red_, up, down), Simd::exclusiveOr(green, sign), moved(luma, blue_, up, down),
            Simd::pattern(kPatterns.opaque8)};
  }

 private:
  WHITELINE_INLINE explicit YCoCgSource(const BlockHalves<Simd>& halves)
      : luma_(halves.first), colours_(halves.second) {
    const Vector orange = Simd::multiplyScaled(colours_.red(Simd::pattern(kPatterns.redBlueWeights)),
                                               Simd::pattern(kPatterns.redBlueToLevel16));
    const Vector greenness = Simd::multiplyScaled(colours_.green(Simd::pattern(kPatterns.greenWeights)),
                                                  Simd::pattern(kPatterns.greenToLevel16));
    const Vector factor = scaleFactor();
    const Vector sum = Simd::add16(orange, greenness);
    const Vector green =
        Simd::multiplyScaled(Simd::subtract16(Simd::pattern(kPatterns.middle16), greenness), factor);
    red_ = steps(Simd::multiplyScaled(Simd::subtract16(greenness, orange), factor));
    green_ = Simd::packSigned16(green, green);
    blue_ =
        steps(Simd::multiplyScaled(Simd::subtract16(sum, Simd::pattern(kPatterns.twiceMiddle16)), factor));
  }

  /** As in ScaleFactors. */
  WHITELINE_INLINE Vector scaleFactor() const {
    const Vector aboveOne = colours_.blue(Simd::pattern(kPatterns.scaleWeights));
    const Vector known = Simd::shuffle(Simd::pattern(kPatterns.scaleKnown), aboveOne);
    if (Simd::allEqual8(known, aboveOne)) [[likely]] {
      return Simd::template shiftLeft16<8>(Simd::shuffle(Simd::pattern(kPatterns.scaleFactor), aboveOne));
    }
    alignas(32) int16_t factors[8 * Simd::kLanes];
    Simd::store(factors, aboveOne);
    for (int16_t& factor : factors) factor = kScaleFactors.of[kThirds + factor];
    return Simd::load(factors);
  }

  /** Steps up in the first eight bytes, steps down in the second eight: up to 255 each way do not fit into
   * one. */
  WHITELINE_INLINE static Vector steps(Vector words) {
    return Simd::packUnsigned16(words, Simd::subtract16(Simd::zero(), words));
  }

  WHITELINE_INLINE static Vector moved(Vector luma, Vector steps, Vector up, Vector down) {
    return Simd::subtractUnsigned8(Simd::addUnsigned8(luma, Simd::shuffle(steps, up)),
                                   Simd::shuffle(steps, down));
  }

  AlphaLevels<Simd> luma_;
  ColourBlocks<Simd> colours_;
  Vector red_;
  Vector green_;
  Vector blue_;
};

template <class Simd>
class YCoCgAlphaSource {
 public:
  static constexpr BlockKind kKind = BlockKind::YCoCgAlpha;
  static constexpr bool kAlpha = true;

  WHITELINE_INLINE YCoCgAlphaSource(const BlockStrip& strip, int block)
      : colour_(strip, block), alpha_(Simd::load(strip.alphaBlocks + 8 * block)) {}
  WHITELINE_INLINE Planes<Simd> rows(int pair) const {
    Planes<Simd> planes = colour_.rows(pair);
    planes.alpha = alpha_.rows(pair);
    return planes;
  }

 private:
  YCoCgSource<Simd> colour_;
  AlphaLevels<Simd> alpha_;
};

/** Of PlanarBlock. */
template <class Simd>
class PlanarSource {
 public:
  static constexpr BlockKind kKind = BlockKind::Planar;
  static constexpr bool kAlpha = true;
  using Vector = typename Simd::Vector;

  WHITELINE_INLINE PlanarSource(const BlockStrip& strip, int block)
      : blocks_(strip.blocks + kBytes * block) {}
  WHITELINE_INLINE Planes<Simd> rows(int pair) const {
    return {channel(pair, 0), channel(pair, 1), channel(pair, 2), channel(pair, 3)};
  }

 private:
  static constexpr int kBytes = sizeof(PlanarBlock);

  WHITELINE_INLINE Vector channel(int pair, int index) const {
    const Vector ofA = Simd::template loadLanes<2 * kBytes>(blocks_ + 16 * index);
    const Vector ofB = Simd::template loadLanes<2 * kBytes>(blocks_ + 16 * index + kBytes);
    return pair == 0 ? Simd::unpackLow32(ofA, ofB) : Simd::unpackHigh32(ofA, ofB);
  }

  const uint8_t* blocks_;
};

}  // namespace
}  // namespace whiteline
