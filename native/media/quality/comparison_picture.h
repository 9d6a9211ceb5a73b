#pragma once

#include <cstdint>
#include <vector>

#include "native/media/pattern/picture.h"
#include "native/media/quality/mask.h"

namespace whiteline {

/** A picture to be written as PNG. */
struct RawPicture {
  enum class Format : uint8_t { Uyvy, Rgb };

  int width = 0;
  int height = 0;
  Format format = Format::Rgb;
  /** Rows packed. */
  std::vector<uint8_t> bytes;
};

/** Two UYVY pictures of one size beside each other: left as sent, right as received. */
RawPicture sideBySide(const PictureView& sent, const PictureView& received);

/** How many times larger a difference is shown. */
constexpr int kDifferenceGain = 8;

/** How much luma differs, pixel by pixel: black where it does not, white from 32 steps on; masked parts are
 * blue. */
RawPicture differenceMap(const PictureView& sent, const PictureView& received, const Mask& mask);

}  // namespace whiteline
