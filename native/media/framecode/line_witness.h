#pragma once

#include <cstdint>
#include <vector>

#include "native/media/framecode/code_reader.h"
#include "native/media/framecode/white_line.h"
#include "native/media/pattern/chroma.h"
#include "native/media/pattern/picture.h"
#include "native/media/records/records.h"

namespace whiteline {

/** What the white line says of the picture between the strips. */
struct LineReading {
  /** Good, Torn, Stale, Damaged or Discoloured; docs/measurement.md defines each. */
  PictureStatus status;
  /** Picture rows of the first and last place that is not as it should be; 0 if Good. */
  int firstRow;
  int lastRow;
  /** Places at which the line was looked for, and those where it stands out from the picture. */
  int places;
  int witnesses;
};

/**
 * Looks for the white line where the frame number puts it, at places of one or two rows over the whole height
 * between the strips. The line's luma is known; what lies beside it is not. So a place without the line shows
 * as too dark, and one where the picture is as bright as the line shows nothing.
 *
 * One per stream and size; keeps memory for its findings, and allocates nothing per picture.
 */
class LineWitness {
 public:
  /** The size must be readable (`StripGeometry::readable`). */
  LineWitness(int width, int height, PixelFormat format);

  /** The picture's size and format are those of the construction, and the line lies within it. */
  LineReading read(const PictureView& picture, WhiteLine line, StripLevels levels);

 private:
  enum class Finding : uint8_t { Present, NoContrast, Absent };
  /** Neighbouring places, ends included. */
  struct Run {
    size_t first;
    size_t last;
  };

  template <PixelFormat format>
  LineReading readAs(const PictureView& picture);
  template <PixelFormat format>
  Finding findAt(const PictureView& picture, int y) const;
  template <PixelFormat format>
  PictureStatus statusOf(const PictureView& picture, Run run);
  /** Whether another line of this width stands at one place in nearly all rows of the run, and not beyond it.
   */
  template <PixelFormat format>
  bool hasAnotherLine(const PictureView& picture, Run run);
  /** Changes the count of each x at which a line could stand in the rows of a place. */
  template <PixelFormat format, class Change>
  void eachLine(const PictureView& picture, int y, Change change);
  /** From the first to the last group of places where the line has a colour; false if it is neutral. */
  bool findColour(const PictureView& picture, Run& run) const;
  bool reachesEdge(Run run) const;
  LineReading reading(PictureStatus status, Run run) const;

  const PixelFormat format_;
  const int width_;
  const int rowsAtPlace_;
  /** First row of each place, rising. */
  std::vector<int> places_;
  std::vector<Finding> findings_;
  /** Of the line that is looked for. */
  WhiteLine line_{0, 0};
  float threshold_ = 0;
  /** [x]: luma of the place's pixels before x. */
  std::vector<int> lumaBefore_;
  /** [x / 2]: rows in which a line could stand at x. */
  std::vector<uint16_t> linesAt_;
};

}  // namespace whiteline
