#pragma once

#include <cstdint>

#include "native/media/pattern/picture.h"

namespace whiteline {

/** Video levels of luma: what the format calls white and black. */
constexpr uint8_t kWhiteLuma = 235;
constexpr uint8_t kBlackLuma = 16;

/** A part of a picture, in pixels; ends are exclusive. */
struct Area {
  int left;
  int top;
  int right;
  int bottom;
};

/** Fills `count` pixels from `pixels` on with a neutral grey of this luma (video levels; opaque full-range
 * grey in BGRA). */
void fillGreyPixels(uint8_t* pixels, int count, uint8_t luma, PixelFormat format);

/** Fills an area that lies inside the picture. In UYVY, odd edges cut a pixel pair: its other pixel loses
 * some colour. */
void fillGrey(const Picture& picture, Area area, uint8_t luma);

}  // namespace whiteline
