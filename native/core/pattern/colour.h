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
};

constexpr ColourMatrix kBt601{
    .redFromV = 104597, .greenFromU = -25675, .greenFromV = -53279, .blueFromU = 132201};
constexpr ColourMatrix kBt709{
    .redFromV = 117489, .greenFromU = -13975, .greenFromV = -34925, .blueFromU = 138438};

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

}  // namespace whiteline
