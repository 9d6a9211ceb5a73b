#include "native/media/hap/texture_patterns.h"

#include <array>
#include <cstddef>

#include "native/media/hap/texture_arithmetic.h"

namespace whiteline {
namespace {

constexpr size_t kLaneBytes = 16;
/** An index that chooses nothing: the byte becomes 0. */
constexpr uint8_t kNone = 0x80;

consteval Pattern lanes(const std::array<uint8_t, kLaneBytes>& lane) {
  Pattern pattern{};
  for (size_t byte = 0; byte < sizeof(pattern.bytes); ++byte) pattern.bytes[byte] = lane[byte % kLaneBytes];
  return pattern;
}

consteval Pattern bytes(uint8_t value) {
  std::array<uint8_t, kLaneBytes> lane{};
  lane.fill(value);
  return lanes(lane);
}

/** The words repeat within the lane. */
template <class... Words>
consteval Pattern words(Words... values) {
  const std::array<int, sizeof...(values)> repeated{values...};
  std::array<uint8_t, kLaneBytes> lane{};
  for (size_t word = 0; word < kLaneBytes / 2; ++word) {
    const int value = repeated[word % repeated.size()];
    lane[2 * word] = static_cast<uint8_t>(value);
    lane[2 * word + 1] = static_cast<uint8_t>(value >> 8);
  }
  return lanes(lane);
}

/** Eight bytes for the block A and the same for the block B. */
consteval Pattern twice(const std::array<uint8_t, kLaneBytes / 2>& block) {
  std::array<uint8_t, kLaneBytes> lane{};
  for (size_t byte = 0; byte < kLaneBytes; ++byte) lane[byte] = block[byte % block.size()];
  return lanes(lane);
}

/** Added to each index of the block B. */
consteval Pattern ofB(uint8_t value) {
  return lanes({0, 0, 0, 0, value, value, value, value, 0, 0, 0, 0, value, value, value, value});
}

consteval VideoPatterns videoPatterns(const VideoMatrix& matrix) {
  return {.lumaRedGreen = words(matrix.lumaRed | matrix.lumaGreenBesideRed << 8),
          .lumaBlueGreen = words(matrix.lumaBlue | matrix.lumaGreenBesideBlue << 8),
          .uRed16 = words(static_cast<int>(matrix.uRed)),
          .uBlue16 = words(static_cast<int>(matrix.uBlue)),
          .vRed16 = words(static_cast<int>(matrix.vRed)),
          .vBlue16 = words(static_cast<int>(matrix.vBlue))};
}

}  // namespace

constexpr Patterns kPatterns{
    .sign8 = bytes(0x80),
    .opaque8 = bytes(0xFF),
    .lowTwoBits8 = bytes(3),
    .lowThreeBits8 = bytes(7),
    .upperHalf8 = bytes(8),
    .sixtyFour8 = bytes(64),
    .one16 = words(1),
    .firstLessSecond16 = words(0xFF01),
    .fiveBits16 = words(31),
    .sixBits16 = words(63),
    .middle16 = words(128),
    .twiceMiddle16 = words(256),
    .thirtyTwo16 = words(32),
    .upperByte16 = words(0xFF00),
    .lumaOffset16 = words(kLumaOffset),
    .lumaOffsetRounded16 = words(kLumaOffset + 128),
    .chromaOffset16 = words(kChromaOffset),
    .chromaOffsetRounded16 = words(kChromaOffset + 128),
    .opaqueAlpha32 = words(0, 0xFF00),

    .redBlueWeights = twice({12, 0, 0, 12, 8, 4, 4, 8}),
    .redBlueWeightsOfThree = twice({12, 0, 0, 12, 6, 6, 0, 0}),
    .redBlueToLevel16 = words(22462),
    .greenWeights = twice({6, 0, 0, 6, 4, 2, 2, 4}),
    .greenWeightsOfThree = twice({6, 0, 0, 6, 3, 3, 0, 0}),
    .greenToLevel16 = words(22106),
    .scaleWeights = twice({3, 0, 0, 3, 2, 1, 1, 2}),

    .seventhsWeights = lanes({35, 0, 0, 35, 30, 5, 25, 10, 20, 15, 15, 20, 10, 25, 5, 30}),
    .fifthsWeights = lanes({35, 0, 0, 35, 28, 7, 21, 14, 14, 21, 7, 28, 0, 0, 0, 0}),
    .from35thsToLevel16 = words(936),
    .fifthsWhite = words(0, 0, 0, 0, 0, 0, 0, 255),
    .levelsOfA = words(0x0100),
    .levelsOfB = words(0x0908),

    .alphaBits = {{lanes({2, 3, 2, 3, 2, 3, 3, 4, 10, 11, 10, 11, 10, 11, 11, 12}),
                   lanes({3, 4, 3, 4, 4, 5, 4, 5, 11, 12, 11, 12, 12, 13, 12, 13})},
                  {lanes({5, 6, 5, 6, 5, 6, 6, 7, 13, 14, 13, 14, 13, 14, 14, 15}),
                   lanes({6, 7, 6, 7, 7, kNone, 7, kNone, 14, 15, 14, 15, 15, kNone, 15, kNone})}},
    .alphaShifts16 = {words(1 << 13, 1 << 10, 1 << 7, 1 << 12), words(1 << 9, 1 << 6, 1 << 11, 1 << 8)},
    .alphaOfB = ofB(8),
    .alphaRows = lanes({2, 3, 10, 11, 5, 6, 13, 14, 3, 4, 11, 12, 6, 7, 14, 15}),
    .alphaPicks = {lanes({0, 3, 6, 9, 16, 19, 22, 25, 4, 7, 10, 13, 20, 23, 26, 29}),
                   lanes({32, 35, 38, 41, 48, 51, 54, 57, 36, 39, 42, 45, 52, 55, 58, 61})},

    .colourBits =
        {lanes({kNone, 4, kNone, 4, kNone, 12, kNone, 12, kNone, 5, kNone, 5, kNone, 13, kNone, 13}),
         lanes({kNone, 6, kNone, 6, kNone, 14, kNone, 14, kNone, 7, kNone, 7, kNone, 15, kNone, 15})},
    .colourNibbles = words(0x0F00, 0xF000),
    .colourSpread16 = words(65 << 8, 65 << 4),
    .colourOfB = ofB(4),
    .colourRows = lanes({4, 12, 6, 14, kNone, kNone, kNone, kNone, 5, 13, 7, 15, kNone, kNone, kNone, kNone}),
    .colourPicks = {twice({0, 2, 4, 6, 8, 10, 12, 14}), twice({16, 18, 20, 22, 24, 26, 28, 30})},
    .firstColour = words(0x0100, 0x0100, 0x0100, 0x0100, 0x0908, 0x0908, 0x0908, 0x0908),
    .secondColour = words(0x0302, 0x0302, 0x0302, 0x0302, 0x0B0A, 0x0B0A, 0x0B0A, 0x0B0A),
    .bothColours = lanes({0, 2, 0, 2, 0, 2, 0, 2, 8, 10, 8, 10, 8, 10, 8, 10}),

    .scaleFactor = lanes({0x80, 0, 0, 0xC0, 0, 0, 0, 0, 0, 0xE0}),
    .scaleKnown = lanes({0, 255, 255, 3, 255, 255, 255, 255, 255, 9, 255, 255, 255, 255, 255, 255}),

    .pairsOfU = lanes({0, kNone, 0, kNone, 4, kNone, 4, kNone, 8, kNone, 8, kNone, 12, kNone, 12, kNone}),
    .pairsOfV = lanes({2, kNone, 2, kNone, 6, kNone, 6, kNone, 10, kNone, 10, kNone, 14, kNone, 14, kNone}),
    .alphaOfBgra = {lanes({3, kNone, 3, kNone, 3, kNone, 3, kNone, 7, kNone, 7, kNone, 7, kNone, 7, kNone}),
                    lanes({11, kNone, 11, kNone, 11, kNone, 11, kNone, 15, kNone, 15, kNone, 15, kNone, 15,
                           kNone})},
};

constexpr VideoPatterns kVideoPatterns601 = videoPatterns(kVideo601);
constexpr VideoPatterns kVideoPatterns709 = videoPatterns(kVideo709);

}  // namespace whiteline
