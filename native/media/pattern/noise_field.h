#pragma once

#include <cstdint>

#include "native/base/platform/page_memory.h"
#include "native/media/pattern/picture.h"

namespace whiteline {

/**
 * Full-amplitude noise at the price of copying a picture: one field larger than the picture is made once, and
 * each frame copies from its own place in it. Any 65,536 frames in a row differ from each other. UYVY noise
 * keeps to video levels (luma 16 to 235, chroma 16 to 240), BGRA noise is opaque. Without state after
 * construction, so threads may share it.
 */
class NoiseField {
 public:
  NoiseField(int width, int height, PixelFormat format, uint64_t seed);

  /** The picture has the field's size and format. The same frame number gives the same noise. */
  void paint(const Picture& picture, uint32_t frameNumber) const;

 private:
  int width_;
  int height_;
  PixelFormat format_;
  PageMemory field_;
};

}  // namespace whiteline
