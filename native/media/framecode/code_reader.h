#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "native/media/framecode/frame_code.h"
#include "native/media/framecode/strip_geometry.h"
#include "native/media/pattern/picture.h"
#include "native/media/records/records.h"

namespace whiteline {

/** Mean luma of the cells of a strip's sync. */
struct StripLevels {
  float zeros;
  float ones;

  float contrast() const { return ones - zeros; }
};

struct CodeReading {
  PictureStatus status;
  /** Torn: the later of the two numbers in serial arithmetic, of two sources the one that was released later.
   * Damaged: the valid strip's. Undecodable: all 0. */
  FrameCode code;
  /**
   * Smallest distance of any cell of the valid strips from the threshold, as a share of half the sync's
   * contrast: 1 is perfect. Not a number where undecodable.
   */
  float health;
  /** Of the valid strip with the smaller contrast; 0 if undecodable. */
  StripLevels levels;
};

/**
 * Reads the frame code from pictures of one size and format, which each picture must have. UYVY: each pixel's
 * own luma (a pair shares only its chroma). BGRA: luma by `lumaAt`; since the threshold comes from the sync,
 * the levels' range does not matter. Without state after construction, so threads may share it.
 */
class CodeReader {
 public:
  /** Any size is allowed; where it leaves a cell without a pixel, every picture is undecodable. */
  CodeReader(int width, int height, PixelFormat format);

  /** The picture's size and format are those of the construction. */
  CodeReading read(const PictureView& picture) const;

 private:
  /** The pixels of a cell that count, along one axis: up to three, nearest to the centre, inside the cell. */
  struct Patch {
    int begin;
    int count;
  };
  struct StripReading {
    std::optional<FrameCode> code;
    float health;
    StripLevels levels;
  };

  static Patch patchOf(int begin, int end, int centre);
  template <PixelFormat format>
  StripReading readStrip(const PictureView& picture, Strip strip) const;

  bool readable_;
  PixelFormat format_;
  std::array<Patch, StripGeometry::kColumns> columns_;
  /** [strip][row] */
  std::array<std::array<Patch, StripGeometry::kRows>, 2> rows_;
};

}  // namespace whiteline
