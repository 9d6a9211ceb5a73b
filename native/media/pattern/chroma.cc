#include "native/media/pattern/chroma.h"

#include <algorithm>
#include <cmath>

#include "native/media/pattern/colour.h"

namespace whiteline {

ChromaSum::ChromaSum(const PictureView& picture) : picture_(picture) {}

void ChromaSum::add(int x, int y) {
  const uint8_t* const row = rowOf(picture_, y);
  ++count_;
  if (picture_.format == PixelFormat::Uyvy) {
    const uint8_t* const pair = row + 2 * (x & ~1);
    u_ += pair[0];
    v_ += pair[2];
  } else {
    const uint8_t* const pixel = row + 4 * x;
    const ChromaLevels levels = toChroma({pixel[2], pixel[1], pixel[0]}, colourMatrixFor(picture_.height));
    u_ += levels.u;
    v_ += levels.v;
  }
}

Chroma ChromaSum::mean() const {
  const auto count = static_cast<float>(count_);
  return {.u = static_cast<float>(u_) / count, .v = static_cast<float>(v_) / count};
}

float chromaDistance(const Chroma& one, const Chroma& other) {
  return std::max(std::abs(one.u - other.u), std::abs(one.v - other.v));
}

}  // namespace whiteline
