#pragma once

#include <cstdint>

#include "native/media/framecode/frame_code.h"

namespace whiteline {

/** Where the strips and their cells lie in a picture of a given size. Ends are exclusive. */
class StripGeometry {
 public:
  static constexpr int kColumns = 64;
  static constexpr int kRows = 2;
  static constexpr int kMinWidth = 320;
  static constexpr int kMinHeight = 180;

  /** Whether the format allows pictures of this size to be stamped. */
  static constexpr bool fits(int width, int height) {
    return width >= kMinWidth && height >= kMinHeight && width % 2 == 0;
  }

  /** Whether a picture of this size, perhaps scaled down on its way, can be read: each cell has a pixel. */
  static constexpr bool readable(int width, int height) { return width >= kColumns && height >= kRowSteps; }

  /** The size must be readable. */
  constexpr StripGeometry(int width, int height) : width_(width), height_(height) {}

  /** First pixel x of a column, 0 to 64; column 64 is the end of the picture. */
  constexpr int columnBegin(int column) const { return firstPixel(column, kColumns, width_); }
  constexpr int columnEnd(int column) const { return columnBegin(column + 1); }
  /** The pixel x that holds the centre of a column. */
  constexpr int columnCentre(int column) const { return centrePixel(column, kColumns, width_); }

  /** First pixel y of a strip's row, 0 to 2; row 2 is the end of the strip. */
  constexpr int rowBegin(Strip strip, int row) const {
    return firstPixel(rowIndex(strip, row), kRowSteps, height_);
  }
  constexpr int rowEnd(Strip strip, int row) const { return rowBegin(strip, row + 1); }
  /** The pixel y that holds the centre of a strip's row. */
  constexpr int rowCentre(Strip strip, int row) const {
    return centrePixel(rowIndex(strip, row), kRowSteps, height_);
  }

  /** The rows between the strips. */
  constexpr int contentBegin() const { return rowBegin(Strip::Top, kRows); }
  constexpr int contentEnd() const { return rowBegin(Strip::Bottom, 0); }

 private:
  /** The height of a picture in rows of cells. */
  static constexpr int kRowSteps = 90;

  static constexpr int rowIndex(Strip strip, int row) {
    return strip == Strip::Top ? row : kRowSteps - kRows + row;
  }

  /** Smallest p with (2p + 1)·(steps / 2) / size ≥ index: the definition of the format, turned round. */
  static constexpr int firstPixel(int index, int steps, int size) {
    const int64_t half = steps / 2;
    return static_cast<int>((int64_t{index} * size + half - 1) / half / 2);
  }

  static constexpr int centrePixel(int index, int steps, int size) {
    return static_cast<int>(int64_t{2 * index + 1} * size / (2 * steps));
  }

  int width_;
  int height_;
};

}  // namespace whiteline
