#pragma once

#include <cstdint>

#include "native/base/pacing/schedule.h"
#include "native/media/pattern/picture.h"

namespace whiteline {

/** A vertical line; left and width are even, as UYVY needs. */
struct WhiteLine {
  int left;
  int width;
};

/** Where the line stands in a frame: from left to right in 2 s, and back in 2 s. */
WhiteLine whiteLineAt(uint32_t frameNumber, int width, Rate rate);

/** Draws the line over the full height between the strips of the frame code. */
void drawWhiteLine(const Picture& picture, WhiteLine line);

}  // namespace whiteline
