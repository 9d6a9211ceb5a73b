#include "native/media/quality/uyvy_of.h"

#include <algorithm>

#include "native/media/hap/texture_block.h"

namespace whiteline {
namespace {

constexpr int kBlock = 4;

PlanarBlock blockAt(const PictureView& bgra, int left, int top, int columns, int rows) {
  PlanarBlock block{};
  for (int row = 0; row < rows; ++row) {
    const uint8_t* pixel = rowOf(bgra, top + row) + 4 * left;
    for (int column = 0; column < columns; ++column, pixel += 4) {
      block.blue[kBlock * row + column] = pixel[0];
      block.green[kBlock * row + column] = pixel[1];
      block.red[kBlock * row + column] = pixel[2];
    }
  }
  return block;
}

}  // namespace

void convertToUyvy(const PictureView& bgra, const Picture& uyvy) {
  const VideoMatrix& matrix = uyvy.height >= 720 ? kVideo709 : kVideo601;
  for (int top = 0; top < bgra.height; top += kBlock) {
    const int rows = std::min(kBlock, bgra.height - top);
    for (int left = 0; left < bgra.width; left += kBlock) {
      const int columns = std::min(kBlock, bgra.width - left);
      writeUyvy(blockAt(bgra, left, top, columns, rows), matrix,
                {.pixels = rowOf(uyvy, top) + 2 * left,
                 .stride = uyvy.strideBytes,
                 .background = nullptr,
                 .backgroundStride = 0,
                 .columns = columns,
                 .rows = rows});
    }
  }
}

}  // namespace whiteline
