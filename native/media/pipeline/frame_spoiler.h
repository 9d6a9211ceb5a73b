#pragma once

#include <memory>

#include "native/media/framecode/code_reader.h"
#include "native/media/framecode/code_stamper.h"
#include "native/media/pipeline/frame_pool.h"

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
  /** From the middle to the bottom strip the rows are those of the other frame, of the same size. */
  void tearMiddle(Frame& frame, const Frame& other) const;
  /** The middle third of the rows between the strips is that of the other frame, of the same size. */
  void leaveBand(Frame& frame, const Frame& other) const;
  /**
   * All 16 bits of the strip's check are inverted: whatever else becomes of the other bytes, they do not
   * match it. The other strip is left alone.
   */
  void damage(Frame& frame, Strip strip) const;
  /** The whole picture, strips and all, in the black of video. */
  static void blacken(Frame& frame);
  /** The chroma of the whole picture is lost: 0 in UYVY; red and blue are 0 in BGRA. Luma stays in UYVY. */
  static void tintGreen(Frame& frame);
  /** U is V, and V is U; in BGRA red is blue. */
  static void swapChroma(Frame& frame);
  /** Luma has 40 % of its distance from black; in BGRA each colour. */
  static void dim(Frame& frame);
  /** Every second pixel of every second row, as a picture of half the size. */
  std::shared_ptr<Frame> shrunk(const Frame& frame);

 private:
  std::shared_ptr<Frame> frameOf(FramePool& pool, const Frame& original) const;
  void copyRows(const Frame& from, Frame& to, int top, int bottom) const;

  FramePool pool_;
  /** Of shrunk pictures. */
  FramePool smallPool_;
  int width_;
  int height_;
  CodeReader reader_;
  CodeStamper stamper_;
};

}  // namespace whiteline
