#pragma once

#include <cstdint>

namespace whiteline {

/** A constant of a vector kernel: what each lane of 16 bytes holds, as often as the widest vector has lanes.
 */
struct alignas(32) Pattern {
  uint8_t bytes[32];
};

/**
 * The constants of the vector kernels. They stand in a file of their own so that compilers load them: those
 * that know the values put them together anew in the middle of the loop, which takes a third of its time.
 */
struct Patterns {
  // Each byte the same, or each word of 16 bits.
  Pattern sign8;
  Pattern opaque8;
  Pattern lowTwoBits8;
  Pattern lowThreeBits8;
  Pattern upperHalf8;
  Pattern sixtyFour8;
  Pattern one16;
  Pattern firstLessSecond16;
  Pattern fiveBits16;
  Pattern sixBits16;
  Pattern middle16;
  Pattern twiceMiddle16;
  Pattern thirtyTwo16;
  Pattern upperByte16;
  Pattern lumaOffset16;
  Pattern lumaOffsetRounded16;
  Pattern chromaOffset16;
  Pattern chromaOffsetRounded16;
  Pattern opaqueAlpha32;

  // Red, green and blue of a colour are 5, 6 and 5 bits; a weighted sum times a constant makes the nearest
  // level.
  Pattern redBlueWeights;
  Pattern redBlueWeightsOfThree;
  Pattern redBlueToLevel16;
  Pattern greenWeights;
  Pattern greenWeightsOfThree;
  Pattern greenToLevel16;
  Pattern scaleWeights;

  // Alpha and luma are two levels; weighted by 35ths, so that sevenths and fifths share one division.
  Pattern seventhsWeights;
  Pattern fifthsWeights;
  Pattern from35thsToLevel16;
  Pattern fifthsWhite;
  Pattern levelsOfA;
  Pattern levelsOfB;

  // A pair of rows has 24 bits of alpha indices. Each pixel's three are brought into a word with those around
  // them, moved up until nothing stands above them, and down again.
  Pattern alphaBits[2][2];
  Pattern alphaShifts16[2];
  Pattern alphaOfB;
  // With AVX-512 the rows' 12 bits are brought side by side, and each pixel's three are picked from there.
  Pattern alphaRows;
  Pattern alphaPicks[2];

  // A row has 8 bits of colour indices; two pixels' four are multiplied apart into the two bytes of a word.
  Pattern colourBits[2];
  Pattern colourNibbles;
  Pattern colourSpread16;
  Pattern colourOfB;
  /** With AVX-512. */
  Pattern colourRows;
  Pattern colourPicks[2];
  Pattern firstColour;
  Pattern secondColour;
  /** The low bytes of both colours' words. */
  Pattern bothColours;

  // The upper byte of ScaleFactors for the scales that encoders write: 1, 2 and 4, that is 0, 3 and 9 thirds
  // above 1; and those numbers once more, to be recognised by.
  Pattern scaleFactor;
  Pattern scaleKnown;

  // Over a background.
  Pattern pairsOfU;
  Pattern pairsOfV;
  Pattern alphaOfBgra[2];
};

/** A VideoMatrix, spread out. */
struct VideoPatterns {
  Pattern lumaRedGreen;
  Pattern lumaBlueGreen;
  Pattern uRed16;
  Pattern uBlue16;
  Pattern vRed16;
  Pattern vBlue16;
};

extern const Patterns kPatterns;
extern const VideoPatterns kVideoPatterns601;
extern const VideoPatterns kVideoPatterns709;

}  // namespace whiteline
