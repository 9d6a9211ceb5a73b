#pragma once

#include <cstdint>

#include "native/media/pattern/picture.h"

namespace whiteline {

/** Luma of the pixel x of a row. BGRA: (54·R + 183·G + 19·B) / 256, the weights of BT.709. */
template <PixelFormat format>
int lumaAt(const uint8_t* row, int x) {
  if constexpr (format == PixelFormat::Uyvy) {
    return row[2 * x + 1];
  } else {
    const uint8_t* const bgr = row + 4 * x;
    return (19 * bgr[0] + 183 * bgr[1] + 54 * bgr[2]) / 256;
  }
}

}  // namespace whiteline
