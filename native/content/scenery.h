#pragma once

#include <cstdint>
#include <vector>

namespace whiteline::content {

/**
 * A still landscape that never ends, with the statistics of camera pictures: overlapping things of all sizes
 * (twice the size, a quarter as many), hard edges between them, shading and fine texture within. It repeats
 * after `kHeights` picture heights. Without state after construction, so threads may share it.
 */
class Scenery {
 public:
  /** Heights of the picture after which it repeats, across and down. */
  static constexpr double kHeights = 2;

  Scenery(int pictureHeight, uint64_t seed);

  /** Where a row of pixels is taken from: a place and the step to the next pixel, in picture heights. */
  struct Line {
    double x, y;
    double stepX, stepY;
  };

  /** `count` BGRA pixels, interpolated between the four nearest points. */
  void sample(const Line& line, uint32_t* pixels, int count) const;

 private:
  uint32_t point(uint32_t x, uint32_t y) const { return points_[(y & mask_) << shift_ | (x & mask_)]; }
  void paintThings(uint64_t seed);
  void soften();

  uint32_t shift_;
  uint32_t mask_;
  std::vector<uint32_t> points_;
};

}  // namespace whiteline::content
