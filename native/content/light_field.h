#pragma once

#include <cstddef>
#include <vector>

#include "native/content/light_band.h"

namespace whiteline::content {

/** Soft light that is known at the points of a coarse grid and drawn between them: large glows and gradients
 * for the price of a few numbers. */
class LightField {
 public:
  LightField(int width, int height);

  int columns() const { return columns_; }
  int rows() const { return rows_; }
  /** Where a grid point lies in the picture, in pixels. */
  int placeOf(int index) const { return index * step_; }
  Light& at(int column, int row) { return points_[indexOf(column, row)]; }

  void addTo(LightBand& band) const;

 private:
  size_t indexOf(int column, int row) const {
    return static_cast<size_t>(row) * static_cast<size_t>(columns_) + static_cast<size_t>(column);
  }
  Light lightAt(int column, int y) const;

  int step_;
  int columns_;
  int rows_;
  std::vector<Light> points_;
};

}  // namespace whiteline::content
