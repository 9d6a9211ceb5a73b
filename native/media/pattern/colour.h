#pragma once

#include <algorithm>
#include <cstdint>

namespace whiteline {

/** Full-range RGB. */
struct Rgb {
  uint8_t red;
  uint8_t green;
  uint8_t blue;
};

/** How chroma makes colour, in 1/65536 of a full level for each step from neutral (video levels). */
struct ColourMatrix {
  int redFromV;
  int greenFromU;
  int greenFromV;
  int blueFromU;
  /** Shares of full-range red and blue in luma, in 1/1000. */
  int redShare;
  int blueShare;
};

constexpr ColourMatrix kBt601{.redFromV = 104597,
                              .greenFromU = -25675,
                              .greenFromV = -53279,
                              .blueFromU = 132201,
                              .redShare = 299,
                              .blueShare = 114};
constexpr ColourMatrix kBt709{.redFromV = 117489,
                              .greenFromU = -13975,
                              .greenFromV = -34925,
                              .blueFromU = 138438,
                              .redShare = 213,
                              .blueShare = 72};

/** UYVY of 720 lines and more is BT.709, below it is BT.601. */
constexpr const ColourMatrix& colourMatrixFor(int height) {
  return height >= 720 ? kBt709 : kBt601;
}

/** From video levels to full levels. */
constexpr Rgb toRgb(int luma, int u, int v, const ColourMatrix& matrix) {
  constexpr int kHalf = 32768;
  const int grey = (luma - 16) * 76309 + kHalf;
  const auto level = [](int scaled) { return static_cast<uint8_t>(std::clamp(scaled >> 16, 0, 255)); };
  u -= 128;
  v -= 128;
  return {.red = level(grey + matrix.redFromV * v),
          .green = level(grey + matrix.greenFromU * u + matrix.greenFromV * v),
          .blue = level(grey + matrix.blueFromU * u)};
}

/** Chroma in video levels; neutral is 128. */
struct ChromaLevels {
  int u;
  int v;
};

/** The other way round: U from blue − luma, V from red − luma. */
constexpr ChromaLevels toChroma(const Rgb& colour, const ColourMatrix& matrix) {
  // In 1/1000 of a full level.
  const int luma = matrix.redShare * colour.red + (1000 - matrix.redShare - matrix.blueShare) * colour.green +
                   matrix.blueShare * colour.blue;
  const auto chroma = [](int difference, int matrixEntry) {
    return 128 + static_cast<int>(int64_t{difference} * 65536 / matrixEntry / 1000);
  };
  return {.u = chroma(1000 * colour.blue - luma, matrix.blueFromU),
          .v = chroma(1000 * colour.red - luma, matrix.redFromV)};
}

}  // namespace whiteline
