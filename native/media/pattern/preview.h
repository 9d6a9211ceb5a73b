#pragma once

#include <cstdint>

#include "native/media/pattern/picture.h"

namespace whiteline {

struct PreviewSize {
  int width;
  int height;
};

/** The largest size of the picture's shape that is at most `maxWidth` wide and not larger than the picture.
 */
PreviewSize previewSize(int width, int height, int maxWidth);

/**
 * Reduces a picture to packed RGBA of `size` (width · height · 4 bytes at `rgba`), opaque. UYVY is taken as
 * video levels, BT.709 of frames from 720 lines up and BT.601 below, and becomes full-range RGB. A field has
 * half the lines of its frame.
 */
void reduceToRgba(const PictureView& picture, int frameHeight, PreviewSize size, uint8_t* rgba);

}  // namespace whiteline
