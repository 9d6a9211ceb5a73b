#pragma once

#include <cstdint>

#include "native/media/hap/texture_inline.h"
#include "native/media/hap/texture_patterns.h"

// Palettes of the block formats, and what each pixel takes from them. Part of texture_vector_kernel.h.

namespace whiteline {
namespace {

/** Two rows of pixels. */
template <class Simd>
struct Planes {
  typename Simd::Vector red;
  typename Simd::Vector green;
  typename Simd::Vector blue;
  typename Simd::Vector alpha;
};

/** The palette of blocks of alpha (or luma), and which entry each pixel takes. `blocks`: 8 bytes of A, 8 of
 * B. */
template <class Simd>
class AlphaLevels {
 public:
  using Vector = typename Simd::Vector;

  WHITELINE_INLINE explicit AlphaLevels(Vector blocks)
      : blocks_(blocks),
        levels_(Simd::packUnsigned16(palette(Simd::shuffle(blocks, Simd::pattern(kPatterns.levelsOfA))),
                                     palette(Simd::shuffle(blocks, Simd::pattern(kPatterns.levelsOfB))))) {}

  WHITELINE_INLINE Vector rows(int pair) const { return Simd::shuffle(levels_, indices(pair)); }

 private:
  WHITELINE_INLINE Vector indices(int pair) const {
    if constexpr (Simd::kAvx512) {
      const Vector found = Simd::shuffle(blocks_, Simd::pattern(kPatterns.alphaRows));
      const Vector picked = Simd::pickBits(found, Simd::pattern(kPatterns.alphaPicks[pair]));
      return Simd::either(Simd::both(picked, Simd::pattern(kPatterns.lowThreeBits8)),
                          Simd::pattern(kPatterns.alphaOfB));
    } else {
      const Vector upper = bits(kPatterns.alphaBits[pair][0], kPatterns.alphaShifts16[0]);
      const Vector lower = bits(kPatterns.alphaBits[pair][1], kPatterns.alphaShifts16[1]);
      return Simd::either(Simd::packUnsigned16(upper, lower), Simd::pattern(kPatterns.alphaOfB));
    }
  }

  WHITELINE_INLINE static Vector palette(Vector levels) {
    // First less second decides between eight steps, and six with black and white.
    const Vector difference = Simd::multiplyAddPairs(levels, Simd::pattern(kPatterns.firstLessSecond16));
    const Vector fifths = Simd::greater16(Simd::pattern(kPatterns.one16), difference);
    const Vector weights = Simd::select(fifths, Simd::pattern(kPatterns.fifthsWeights),
                                        Simd::pattern(kPatterns.seventhsWeights));
    const Vector mixed = Simd::multiplyScaled(Simd::multiplyAddPairs(levels, weights),
                                              Simd::pattern(kPatterns.from35thsToLevel16));
    return Simd::either(mixed, Simd::both(fifths, Simd::pattern(kPatterns.fifthsWhite)));
  }

  WHITELINE_INLINE Vector bits(const Pattern& places, const Pattern& shifts) const {
    const Vector found = Simd::shuffle(blocks_, Simd::pattern(places));
    return Simd::template shiftRight16<13>(Simd::multiplyLow16(found, Simd::pattern(shifts)));
  }

  Vector blocks_;
  Vector levels_;
};

/** The colours that a pair of blocks stores. `blocks`: 8 bytes of A, 8 of B. */
template <class Simd>
class ColourBlocks {
 public:
  using Vector = typename Simd::Vector;

  WHITELINE_INLINE explicit ColourBlocks(Vector blocks) : blocks_(blocks) {}

  /** As words, weighted. */
  WHITELINE_INLINE Vector red(Vector weights) const {
    return mixed(Simd::template shiftRight16<11>(blocks_), weights);
  }
  WHITELINE_INLINE Vector green(Vector weights) const {
    return mixed(Simd::both(Simd::template shiftRight16<5>(blocks_), Simd::pattern(kPatterns.sixBits16)),
                 weights);
  }
  WHITELINE_INLINE Vector blue(Vector weights) const {
    return mixed(Simd::both(blocks_, Simd::pattern(kPatterns.fiveBits16)), weights);
  }
  /** Where the first colour is not the greater one. */
  WHITELINE_INLINE Vector haveThreeColours() const {
    const Vector first = Simd::shuffle(blocks_, Simd::pattern(kPatterns.firstColour));
    const Vector second = Simd::shuffle(blocks_, Simd::pattern(kPatterns.secondColour));
    return Simd::equal16(Simd::greatest16(first, second), second);
  }
  /** Into palettes of eight bytes. */
  WHITELINE_INLINE Vector indices(int pair) const {
    return Simd::either(Simd::both(bits(pair), Simd::pattern(kPatterns.lowTwoBits8)),
                        Simd::pattern(kPatterns.colourOfB));
  }

 private:
  /** Each pixel's two bits are the lowest of its byte. */
  WHITELINE_INLINE Vector bits(int pair) const {
    if constexpr (Simd::kAvx512) {
      const Vector found = Simd::shuffle(blocks_, Simd::pattern(kPatterns.colourRows));
      return Simd::pickBits(found, Simd::pattern(kPatterns.colourPicks[pair]));
    } else {
      const Vector found = Simd::shuffle(blocks_, Simd::pattern(kPatterns.colourBits[pair]));
      const Vector nibbles = Simd::both(found, Simd::pattern(kPatterns.colourNibbles));
      return Simd::multiplyHigh16(nibbles, Simd::pattern(kPatterns.colourSpread16));
    }
  }

  WHITELINE_INLINE static Vector mixed(Vector channel, Vector weights) {
    return Simd::multiplyAddPairs(Simd::shuffle(channel, Simd::pattern(kPatterns.bothColours)), weights);
  }

  Vector blocks_;
};

/** Blocks of 16 bytes: the first halves, and the second halves. */
template <class Simd>
struct BlockHalves {
  typename Simd::Vector first;
  typename Simd::Vector second;

  WHITELINE_INLINE explicit BlockHalves(const uint8_t* blocks) {
    if constexpr (Simd::kAvx512) {
      Simd::split64(Simd::load(blocks), Simd::load(blocks + Simd::kBytes), first, second);
    } else {
      const typename Simd::Vector ofA = Simd::template loadLanes<32>(blocks);
      const typename Simd::Vector ofB = Simd::template loadLanes<32>(blocks + 16);
      first = Simd::unpackLow64(ofA, ofB);
      second = Simd::unpackHigh64(ofA, ofB);
    }
  }
};

/** Levels of red, green and blue out of a palette. */
template <class Simd>
class RgbPalette {
 public:
  using Vector = typename Simd::Vector;

  WHITELINE_INLINE RgbPalette(Vector blocks, bool mayHaveThreeColours) : colours_(blocks) {
    Vector redBlueWeights = Simd::pattern(kPatterns.redBlueWeights);
    Vector greenWeights = Simd::pattern(kPatterns.greenWeights);
    if (mayHaveThreeColours) {
      const Vector three = colours_.haveThreeColours();
      redBlueWeights = Simd::select(three, Simd::pattern(kPatterns.redBlueWeightsOfThree), redBlueWeights);
      greenWeights = Simd::select(three, Simd::pattern(kPatterns.greenWeightsOfThree), greenWeights);
    }
    red_ = levels(colours_.red(redBlueWeights), kPatterns.redBlueToLevel16);
    green_ = levels(colours_.green(greenWeights), kPatterns.greenToLevel16);
    blue_ = levels(colours_.blue(redBlueWeights), kPatterns.redBlueToLevel16);
  }

  WHITELINE_INLINE Planes<Simd> rows(int pair, Vector alpha) const {
    const Vector indices = colours_.indices(pair);
    return {Simd::shuffle(red_, indices), Simd::shuffle(green_, indices), Simd::shuffle(blue_, indices),
            alpha};
  }

 private:
  WHITELINE_INLINE static Vector levels(Vector mixed, const Pattern& toLevel) {
    const Vector found = Simd::multiplyScaled(mixed, Simd::pattern(toLevel));
    return Simd::packUnsigned16(found, found);
  }

  ColourBlocks<Simd> colours_;
  Vector red_;
  Vector green_;
  Vector blue_;
};

}  // namespace
}  // namespace whiteline
