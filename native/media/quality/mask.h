#pragma once

#include <cstdint>
#include <vector>

#include "native/base/pacing/schedule.h"
#include "native/media/pattern/grey.h"

namespace whiteline {

/**
 * Parts of a picture that are not compared, in pixels. Of a plane with fewer columns every sample that lies
 * in one of them even in part.
 */
using Mask = std::vector<Area>;

/** Pixels around strips and line that a codec's blocks may mix with them. */
constexpr int kMaskMargin = 16;

/** What this instrument draws over a frame: both strips of the frame code and the white line, each with its
 * margin inside the picture. */
Mask frameMask(int width, int height, uint32_t frameNumber, Rate rate);

/** A run of samples of a row; the end is exclusive. */
struct Span {
  int begin;
  int end;
};

/** The samples of one row of a plane that are compared, from left to right. `spans` is used again. */
void keptSpans(const Mask& mask, int y, int planeWidth, int columnsShared, std::vector<Span>& spans);

/** Whether an area of a plane, in its own samples, touches the mask. */
bool isMasked(const Mask& mask, Area area, int columnsShared);

}  // namespace whiteline
