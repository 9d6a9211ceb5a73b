#include "native/media/pattern/reduced_copy.h"

#include <algorithm>
#include <cstddef>
#include <cstring>

namespace whiteline {
namespace {

/** Where pixel `x` comes from; a picture that is only narrow or only flat gives its last one again. */
ptrdiff_t originOf(int x, const ReducedSize& size, int width) {
  return std::min(static_cast<ptrdiff_t>(x) * size.factor, static_cast<ptrdiff_t>(width) - 1);
}

/** Of each pair, the luma of both pixels' origins and the chroma of the first. */
void reduceUyvyRow(const uint8_t* row, int width, const ReducedSize& size, uint8_t* target) {
  for (int x = 0; x < size.width; x += 2, target += 4) {
    const ptrdiff_t first = originOf(x, size, width);
    const uint8_t* const pair = row + 2 * (first & ~ptrdiff_t{1});
    target[0] = pair[0];
    target[1] = row[2 * first + 1];
    target[2] = pair[2];
    target[3] = row[2 * originOf(x + 1, size, width) + 1];
  }
}

void reduceBgraRow(const uint8_t* row, int width, const ReducedSize& size, uint8_t* target) {
  for (int x = 0; x < size.width; ++x, target += 4)
    std::memcpy(target, row + 4 * originOf(x, size, width), 4);
}

}  // namespace

ReducedSize reducedSize(int width, int height, int mostWidth, int mostHeight) {
  const auto timesIn = [](int size, int most) { return (size + most - 1) / most; };
  const int factor = std::max({1, timesIn(width, mostWidth), timesIn(height, mostHeight)});
  return {
      .width = std::max(2, (width / factor) & ~1), .height = std::max(1, height / factor), .factor = factor};
}

void copyReduced(const PictureView& picture, const ReducedSize& size, uint8_t* target) {
  const auto stride = static_cast<size_t>(packedStride(size.width, picture.format));
  for (int y = 0; y < size.height; ++y, target += stride) {
    const uint8_t* const row = rowOf(picture, y * size.factor);
    if (size.factor == 1) {
      std::memcpy(target, row, stride);
    } else if (picture.format == PixelFormat::Uyvy) {
      reduceUyvyRow(row, picture.width, size, target);
    } else {
      reduceBgraRow(row, picture.width, size, target);
    }
  }
}

}  // namespace whiteline
