#pragma once

#include <cstddef>
#include <cstdint>

#include "native/media/hap/texture.h"
#include "native/media/hap/texture_arithmetic.h"
#include "native/media/hap/texture_kernel.h"

namespace whiteline {

/** Where a block's pixels go: as many of its rows and columns as the picture has. */
struct BlockTarget {
  uint8_t* pixels;
  ptrdiff_t stride;
  /** Null: not composed. */
  const uint8_t* background;
  ptrdiff_t backgroundStride;
  /** Uyvy: even. */
  int columns;
  int rows;
};

/** Expands one block. `alphaBlock` is the Bc4Alpha block of Hap Q Alpha, otherwise null: alpha is 255 where
 * the format has none. */
void decodeBlock(TextureFormat format, const uint8_t* block, const uint8_t* alphaBlock, PlanarBlock& pixels);

void writeUyvy(const PlanarBlock& pixels, const VideoMatrix& matrix, const BlockTarget& target);
void writeBgra(const PlanarBlock& pixels, const BlockTarget& target);

}  // namespace whiteline
