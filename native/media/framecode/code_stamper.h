#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "native/media/framecode/frame_code.h"
#include "native/media/framecode/strip_geometry.h"
#include "native/media/pattern/picture.h"

namespace whiteline {

/**
 * Writes the frame code into pictures of one size and format. Each row of cells is put together once, in the
 * picture itself, and copied down the rows below. Without state after construction, so threads may share it;
 * nothing is allocated per picture.
 */
class CodeStamper {
 public:
  /** The size must fit the code (StripGeometry::fits). */
  CodeStamper(int width, int height, PixelFormat format);

  void stamp(const Picture& picture, const FrameCode& code) const;
  /** Writes bytes into one strip as they are, right or wrong. */
  void stampBytes(const Picture& picture, Strip strip, const CodeBytes& bytes) const;

 private:
  StripGeometry geometry_;
  size_t rowBytes_;
  /** First byte of each column, and the end of the last. */
  std::array<size_t, StripGeometry::kColumns + 1> columnOffsets_;
  /** A picture row all of zeros and one all of ones, from which cells are cut: [bit]. */
  std::array<std::vector<uint8_t>, 2> bitRows_;
};

}  // namespace whiteline
