#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "native/base/platform/page_memory.h"
#include "native/media/framecode/white_line.h"
#include "native/media/pattern/chroma.h"
#include "native/media/pattern/picture.h"

namespace whiteline {

/** A picture buffer of a FramePool and what travels with it. Written by one thread until it is handed over,
 * then only read. */
class Frame {
 public:
  Frame(int width, int height, PixelFormat format);

  const Picture& picture() const { return picture_; }

  /** Draws the line, keeping what lies under it. */
  void drawLine(WhiteLine line);
  /** Puts back what lay under the line, if there is one. */
  void removeLine();
  bool hasLine() const { return line_.width > 0; }
  /** Takes over another frame's pixels of the same size, without its line. */
  void copyWithoutLine(const Frame& other);

  uint64_t slot = 0;
  int64_t releaseTimeUs = 0;
  /** Of the composed picture (`meanChroma`). */
  Chroma chroma{kNeutralChroma, kNeutralChroma};
  /** The generator's background is already in the buffer. */
  bool hasBackground = false;

 private:
  PageMemory bytes_;
  Picture picture_;
  WhiteLine line_{0, 0};
  std::vector<uint8_t> underLine_;
};

using FrameRef = std::shared_ptr<const Frame>;

}  // namespace whiteline
