#include "native/media/pattern/grey.h"

#include <array>
#include <cstring>

#include "native/media/pattern/chroma.h"

namespace whiteline {

namespace {

/** From video levels (16 to 235) to full levels, rounded. */
constexpr uint8_t fullLevel(uint8_t luma) {
  constexpr int kRange = kWhiteLuma - kBlackLuma;
  return static_cast<uint8_t>(((luma - kBlackLuma) * 255 + kRange / 2) / kRange);
}
static_assert(fullLevel(kBlackLuma) == 0 && fullLevel(kWhiteLuma) == 255);

template <size_t size>
void repeatPixel(uint8_t* pixels, int count, const std::array<uint8_t, size>& pixel) {
  for (int index = 0; index < count; ++index) {
    std::memcpy(pixels + static_cast<size_t>(index) * size, pixel.data(), size);
  }
}

}  // namespace

void fillGreyPixels(uint8_t* pixels, int count, uint8_t luma, PixelFormat format) {
  if (format == PixelFormat::Uyvy) {
    // Either pixel of a pair is one byte of chroma and one of luma, so with neutral chroma both are alike.
    repeatPixel(pixels, count, std::array<uint8_t, 2>{kNeutralChroma, luma});
  } else {
    const uint8_t level = fullLevel(luma);
    repeatPixel(pixels, count, std::array<uint8_t, 4>{level, level, level, 255});
  }
}

void fillGrey(const Picture& picture, Area area, uint8_t luma) {
  const ptrdiff_t leftBytes = static_cast<ptrdiff_t>(area.left) * bytesPerPixel(picture.format);
  for (int y = area.top; y < area.bottom; ++y) {
    fillGreyPixels(rowOf(picture, y) + leftBytes, area.right - area.left, luma, picture.format);
  }
}

}  // namespace whiteline
