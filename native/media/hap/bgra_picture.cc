#include "native/media/hap/bgra_picture.h"

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
      block.alpha[kBlock * row + column] = pixel[3];
    }
  }
  return block;
}

void write(const PictureView& bgra, const PictureView* background, const Picture& target) {
  const VideoMatrix& matrix = target.height >= 720 ? kVideo709 : kVideo601;
  const int pixelBytes = bytesPerPixel(target.format);
  for (int top = 0; top < bgra.height; top += kBlock) {
    const int rows = std::min(kBlock, bgra.height - top);
    for (int left = 0; left < bgra.width; left += kBlock) {
      const int columns = std::min(kBlock, bgra.width - left);
      const PlanarBlock block = blockAt(bgra, left, top, columns, rows);
      const BlockTarget place{
          .pixels = rowOf(target, top) + pixelBytes * left,
          .stride = target.strideBytes,
          .background = background ? rowOf(*background, top) + pixelBytes * left : nullptr,
          .backgroundStride = background ? background->strideBytes : 0,
          .columns = columns,
          .rows = rows};
      if (target.format == PixelFormat::Uyvy) {
        writeUyvy(block, matrix, place);
      } else {
        writeBgra(block, place);
      }
    }
  }
}

}  // namespace

void convertToUyvy(const PictureView& bgra, const Picture& uyvy) {
  write(bgra, nullptr, uyvy);
}

void composeOver(const PictureView& bgra, const PictureView& background, const Picture& target) {
  write(bgra, &background, target);
}

}  // namespace whiteline
