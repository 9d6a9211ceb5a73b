#pragma once

#include <cstddef>
#include <cstdint>

#include "native/media/hap/texture_kernel.h"
#include "native/media/hap/texture_vector_palettes.h"

// Pixels to pictures, two rows at a time. Part of texture_vector_kernel.h.

namespace whiteline {
namespace {

/** Pixels to video levels. */
template <class Simd>
class VideoLevels {
 public:
  using Vector = typename Simd::Vector;

  WHITELINE_INLINE explicit VideoLevels(const VideoPatterns& patterns) : patterns_(patterns) {}

  /** As words, in 1/256. */
  struct Luma {
    Vector firstRow;
    Vector secondRow;
  };
  WHITELINE_INLINE Luma luma(const Planes<Simd>& pixels, Vector offset) const {
    return {lumaOf(Simd::unpackLow8(pixels.red, pixels.green), Simd::unpackLow8(pixels.blue, pixels.green),
                   offset),
            lumaOf(Simd::unpackHigh8(pixels.red, pixels.green), Simd::unpackHigh8(pixels.blue, pixels.green),
                   offset)};
  }

  /** As words, in 1/256. */
  struct Chroma {
    Vector u;
    Vector v;
  };
  /** Out of channels times 128, as words. */
  WHITELINE_INLINE Chroma chroma(Vector red, Vector green, Vector blue, Vector offset) const {
    const Vector redLessGreen = Simd::subtract16(red, green);
    const Vector blueLessGreen = Simd::subtract16(blue, green);
    return {weighted(redLessGreen, blueLessGreen, patterns_.uRed16, patterns_.uBlue16, offset),
            weighted(redLessGreen, blueLessGreen, patterns_.vRed16, patterns_.vBlue16, offset)};
  }
  /** Of the mean of each pair, both rows in a lane. */
  WHITELINE_INLINE Chroma pairChroma(const Planes<Simd>& pixels, Vector offset) const {
    const Vector half = Simd::pattern(kPatterns.sixtyFour8);
    return chroma(Simd::multiplyAddPairs(pixels.red, half), Simd::multiplyAddPairs(pixels.green, half),
                  Simd::multiplyAddPairs(pixels.blue, half), offset);
  }

 private:
  WHITELINE_INLINE Vector lumaOf(Vector redGreen, Vector blueGreen, Vector offset) const {
    return Simd::add16(Simd::add16(Simd::multiplyAddPairs(redGreen, Simd::pattern(patterns_.lumaRedGreen)),
                                   Simd::multiplyAddPairs(blueGreen, Simd::pattern(patterns_.lumaBlueGreen))),
                       offset);
  }

  WHITELINE_INLINE static Vector weighted(Vector red, Vector blue, const Pattern& ofRed,
                                          const Pattern& ofBlue, Vector offset) {
    return Simd::add16(Simd::add16(Simd::multiplyScaled(red, Simd::pattern(ofRed)), offset),
                       Simd::multiplyScaled(blue, Simd::pattern(ofBlue)));
  }

  const VideoPatterns& patterns_;
};

/** Alpha as words, as a fraction of 2¹⁵. */
template <class Simd>
WHITELINE_INLINE typename Simd::Vector fractionOf(typename Simd::Vector alpha) {
  return Simd::add16(Simd::template shiftLeft16<7>(alpha), Simd::template shiftRight16<1>(alpha));
}

/** Levels in 1/64, as words, over those behind; whole levels. */
template <class Simd>
WHITELINE_INLINE typename Simd::Vector over(typename Simd::Vector levels64, typename Simd::Vector fraction,
                                            typename Simd::Vector behind) {
  const typename Simd::Vector behind64 = Simd::template shiftLeft16<6>(behind);
  const typename Simd::Vector step = Simd::multiplyScaled(Simd::subtract16(levels64, behind64), fraction);
  return Simd::template shiftRight16<6>(
      Simd::add16(Simd::add16(behind64, step), Simd::pattern(kPatterns.thirtyTwo16)));
}

template <class Simd>
class UyvyWriter {
 public:
  static constexpr bool kOver = false;
  static constexpr int kPixelBytes = 2;
  using Vector = typename Simd::Vector;

  WHITELINE_INLINE explicit UyvyWriter(const BlockStrip& strip) : video_(*strip.video) {}

  WHITELINE_INLINE void write(const Planes<Simd>& pixels, uint8_t* target, ptrdiff_t stride, const uint8_t*,
                              ptrdiff_t) const {
    const auto luma = video_.luma(pixels, Simd::pattern(kPatterns.lumaOffsetRounded16));
    const auto chroma = video_.pairChroma(pixels, Simd::pattern(kPatterns.chromaOffsetRounded16));
    const Vector chromaBytes = Simd::either(Simd::template shiftRight16<8>(chroma.u),
                                            Simd::both(chroma.v, Simd::pattern(kPatterns.upperByte16)));
    if constexpr (Simd::kAvx512) {
      Simd::store(target, Simd::putLow8Below(chromaBytes, luma.firstRow));
      Simd::store(target + stride, Simd::putHigh8Below(chromaBytes, luma.secondRow));
    } else {
      const Vector lumaBytes = Simd::packUnsigned16(Simd::template shiftRight16<8>(luma.firstRow),
                                                    Simd::template shiftRight16<8>(luma.secondRow));
      Simd::store(target, Simd::unpackLow8(chromaBytes, lumaBytes));
      Simd::store(target + stride, Simd::unpackHigh8(chromaBytes, lumaBytes));
    }
  }

 private:
  VideoLevels<Simd> video_;
};

template <class Simd>
class UyvyOverWriter {
 public:
  static constexpr bool kOver = true;
  static constexpr int kPixelBytes = 2;
  using Vector = typename Simd::Vector;

  WHITELINE_INLINE explicit UyvyOverWriter(const BlockStrip& strip) : video_(*strip.video) {}

  WHITELINE_INLINE void write(const Planes<Simd>& pixels, uint8_t* target, ptrdiff_t stride,
                              const uint8_t* background, ptrdiff_t backgroundStride) const {
    const Vector zero = Simd::zero();
    const auto luma = video_.luma(pixels, Simd::pattern(kPatterns.lumaOffset16));
    writeRow(luma.firstRow,
             chroma(Simd::unpackLow8(pixels.red, zero), Simd::unpackLow8(pixels.green, zero),
                    Simd::unpackLow8(pixels.blue, zero)),
             Simd::unpackLow8(pixels.alpha, zero), target, background);
    writeRow(luma.secondRow,
             chroma(Simd::unpackHigh8(pixels.red, zero), Simd::unpackHigh8(pixels.green, zero),
                    Simd::unpackHigh8(pixels.blue, zero)),
             Simd::unpackHigh8(pixels.alpha, zero), target + stride, background + backgroundStride);
  }

 private:
  WHITELINE_INLINE typename VideoLevels<Simd>::Chroma chroma(Vector red, Vector green, Vector blue) const {
    return video_.chroma(Simd::template shiftLeft16<7>(red), Simd::template shiftLeft16<7>(green),
                         Simd::template shiftLeft16<7>(blue), Simd::pattern(kPatterns.chromaOffset16));
  }

  WHITELINE_INLINE void writeRow(Vector luma, const typename VideoLevels<Simd>::Chroma& chroma, Vector alpha,
                                 uint8_t* target, const uint8_t* background) const {
    const Vector behind = Simd::load(background);
    const Vector fraction = fractionOf<Simd>(alpha);
    const Vector lumaWords =
        over<Simd>(Simd::template shiftRight16<2>(luma), fraction, Simd::template shiftRight16<8>(behind));
    const Vector u = pairOver(chroma.u, fraction, Simd::shuffle(behind, Simd::pattern(kPatterns.pairsOfU)));
    const Vector v = pairOver(chroma.v, fraction, Simd::shuffle(behind, Simd::pattern(kPatterns.pairsOfV)));
    const Vector chromaWords = Simd::either(u, Simd::template shiftLeft32<16>(v));
    Simd::store(target, Simd::either(chromaWords, Simd::template shiftLeft16<8>(lumaWords)));
  }

  /** Two pixels' chroma over the one that they share behind: whole levels, one for each pair in 32 bits. */
  WHITELINE_INLINE static Vector pairOver(Vector chroma, Vector fraction, Vector behind) {
    const Vector behind32 = Simd::template shiftLeft16<5>(behind);
    const Vector steps =
        Simd::multiplyScaled(Simd::subtract16(Simd::template shiftRight16<3>(chroma), behind32), fraction);
    const Vector sum = Simd::add16(steps, Simd::template shiftRight32<16>(steps));
    const Vector levels64 =
        Simd::add16(Simd::add16(Simd::add16(behind32, behind32), sum), Simd::pattern(kPatterns.thirtyTwo16));
    return Simd::template shiftRight32<22>(Simd::template shiftLeft32<16>(levels64));
  }

  VideoLevels<Simd> video_;
};

/** Two rows of BGRA: of each lane, its first and its last four pixels in the row. */
template <class Simd>
struct BgraRows {
  using Vector = typename Simd::Vector;
  Vector first[2];
  Vector second[2];

  WHITELINE_INLINE explicit BgraRows(const Planes<Simd>& pixels) {
    interleave(Simd::unpackLow8(pixels.blue, pixels.green), Simd::unpackLow8(pixels.red, pixels.alpha),
               first);
    interleave(Simd::unpackHigh8(pixels.blue, pixels.green), Simd::unpackHigh8(pixels.red, pixels.alpha),
               second);
  }

 private:
  WHITELINE_INLINE static void interleave(Vector blueGreen, Vector redAlpha, Vector (&row)[2]) {
    Simd::joinLanes(Simd::unpackLow16(blueGreen, redAlpha), Simd::unpackHigh16(blueGreen, redAlpha), row[0],
                    row[1]);
  }
};

template <class Simd>
class BgraWriter {
 public:
  static constexpr bool kOver = false;
  static constexpr int kPixelBytes = 4;

  WHITELINE_INLINE explicit BgraWriter(const BlockStrip&) {}

  WHITELINE_INLINE void write(const Planes<Simd>& pixels, uint8_t* target, ptrdiff_t stride, const uint8_t*,
                              ptrdiff_t) const {
    const BgraRows<Simd> rows(pixels);
    Simd::store(target, rows.first[0]);
    Simd::store(target + Simd::kBytes, rows.first[1]);
    Simd::store(target + stride, rows.second[0]);
    Simd::store(target + stride + Simd::kBytes, rows.second[1]);
  }
};

template <class Simd>
class BgraOverWriter {
 public:
  static constexpr bool kOver = true;
  static constexpr int kPixelBytes = 4;
  using Vector = typename Simd::Vector;

  WHITELINE_INLINE explicit BgraOverWriter(const BlockStrip&) {}

  WHITELINE_INLINE void write(const Planes<Simd>& pixels, uint8_t* target, ptrdiff_t stride,
                              const uint8_t* background, ptrdiff_t backgroundStride) const {
    const BgraRows<Simd> rows(pixels);
    for (int half = 0; half < 2; ++half) {
      const int at = half * Simd::kBytes;
      Simd::store(target + at, composed(rows.first[half], Simd::load(background + at)));
      Simd::store(target + stride + at,
                  composed(rows.second[half], Simd::load(background + backgroundStride + at)));
    }
  }

 private:
  WHITELINE_INLINE static Vector composed(Vector pixels, Vector behind) {
    const Vector zero = Simd::zero();
    const Vector low =
        over<Simd>(Simd::template shiftLeft16<6>(Simd::unpackLow8(pixels, zero)),
                   fractionOf<Simd>(Simd::shuffle(pixels, Simd::pattern(kPatterns.alphaOfBgra[0]))),
                   Simd::unpackLow8(behind, zero));
    const Vector high =
        over<Simd>(Simd::template shiftLeft16<6>(Simd::unpackHigh8(pixels, zero)),
                   fractionOf<Simd>(Simd::shuffle(pixels, Simd::pattern(kPatterns.alphaOfBgra[1]))),
                   Simd::unpackHigh8(behind, zero));
    return Simd::either(Simd::packUnsigned16(low, high), Simd::pattern(kPatterns.opaqueAlpha32));
  }
};

}  // namespace
}  // namespace whiteline
