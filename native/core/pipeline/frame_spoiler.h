#pragma once

#include <memory>

#include "native/core/framecode/code_reader.h"
#include "native/core/framecode/code_stamper.h"
#include "native/core/pipeline/frame_pool.h"

namespace whiteline {

/**
 * Spoils copies of frames of one size on purpose; the frames themselves are shared with others. The buffers
 * of the copies are used again: nothing is allocated once as many exist as are in use at a time. Pictures
 * without a code have nothing to tear or to damage and stay as they are.
 */
class FrameSpoiler {
 public:
  FrameSpoiler(int width, int height, PixelFormat format);

  /** Whether it can copy this picture. */
  bool fits(const Picture& picture) const;
  std::shared_ptr<Frame> copyOf(const Frame& frame);

  /** The bottom strip says the frame number before; both strips stay valid. */
  void tear(Frame& frame) const;
  /**
   * All 16 bits of the strip's check are inverted: whatever else becomes of the other bytes, they do not
   * match it. The other strip is left alone.
   */
  void damage(Frame& frame, Strip strip) const;
  /** The whole picture, strips and all, in the black of video. */
  static void blacken(Frame& frame);

 private:
  FramePool pool_;
  int width_;
  int height_;
  CodeReader reader_;
  CodeStamper stamper_;
};

}  // namespace whiteline
