#pragma once

#include <cstdint>

#include "native/media/pattern/picture.h"

namespace whiteline {

struct ReducedSize {
  int width;
  int height;
  /** Every how many-th pixel and row is kept; 1: all of them. */
  int factor;
};

/** The smallest whole factor at which a picture fits into a size. The width stays even, as pixel pairs need.
 */
ReducedSize reducedSize(int width, int height, int mostWidth, int mostHeight);

/**
 * Copies a picture in its own format into packed rows at `target` (`pictureBytes` of the reduced size). Where
 * it has to be reduced, pixels are left out, not mixed: that costs less than copying all of it.
 */
void copyReduced(const PictureView& picture, const ReducedSize& size, uint8_t* target);

}  // namespace whiteline
