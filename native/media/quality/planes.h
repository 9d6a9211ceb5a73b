#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "native/media/pattern/picture.h"

namespace whiteline {

/** One component of a picture, a byte for each sample, rows packed. */
struct Plane {
  int width = 0;
  int height = 0;
  std::vector<uint8_t> samples;

  const uint8_t* row(int y) const {
    return samples.data() + static_cast<size_t>(y) * static_cast<size_t>(width);
  }
};

/** Y, Cb and Cr, in this order; Cb and Cr have half the columns. */
constexpr int kPlaneCount = 3;
using Planes = std::array<Plane, kPlaneCount>;

/** Samples of a plane that stand beside each other for one of luma: 2 for the chroma planes. */
constexpr int columnsShared(int plane) {
  return plane == 0 ? 1 : 2;
}

/** Takes a UYVY picture apart; memory of `planes` is used again. */
void splitPlanes(const PictureView& picture, Planes& planes);

}  // namespace whiteline
