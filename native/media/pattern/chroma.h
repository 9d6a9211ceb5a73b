#pragma once

#include <cstdint>

#include "native/media/pattern/picture.h"

namespace whiteline {

/** Mean U and V of pixels, video levels; neutral is 128. */
struct Chroma {
  float u;
  float v;
};

constexpr uint8_t kNeutralChroma = 128;

/** Sums up the chroma of single pixels. */
class ChromaSum {
 public:
  explicit ChromaSum(const PictureView& picture);

  /** In UYVY the chroma that the pixel shares with its neighbour. */
  void add(int x, int y);
  /** Not before the first `add`. */
  Chroma mean() const;

 private:
  const PictureView& picture_;
  int64_t u_ = 0;
  int64_t v_ = 0;
  int count_ = 0;
};

/** The larger distance of the two, in levels. */
float chromaDistance(const Chroma& one, const Chroma& other);

}  // namespace whiteline
