#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

#include "native/base/pacing/schedule.h"
#include "native/media/pattern/picture.h"

namespace whiteline {

/** The clip that a generator paints. */
struct ClipShape {
  int width;
  int height;
  Rate rate;
  /** Length of the clip, and of its loop. */
  uint32_t frames;
};

/**
 * Paints the frames of one clip of the content battery, opaque BGRA. Lengths are shares of the picture's
 * height and speeds are per second, so that a clip looks the same at every size and rate; the last frame
 * flows into the first. A frame depends on nothing but its number.
 */
class Generator {
 public:
  virtual ~Generator() = default;
  /** Makes ready for the rows of a frame, 0 ≤ frame < frames. */
  virtual void begin(uint32_t frame) = 0;
  /** Paints the rows from `top` up to `bottom` of the frame last begun. Several threads may each paint rows
   * of their own. The picture has the clip's size. */
  virtual void paintRows(const Picture& picture, int top, int bottom) const = 0;
};

/** Names of all generators, in alphabetical order. */
std::span<const std::string_view> generatorNames();

/** Null when there is no generator of that name. Width and height are at least 16, `frames` at least 1. */
std::unique_ptr<Generator> makeGenerator(std::string_view name, const ClipShape& shape);

/** Paints a whole frame with several threads. */
void paintFrame(Generator& generator, uint32_t frame, const Picture& picture, unsigned threads);

}  // namespace whiteline
