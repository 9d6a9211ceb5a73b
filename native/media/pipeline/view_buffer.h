#pragma once

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

#include "native/base/pacing/schedule.h"
#include "native/base/platform/aligned_bytes.h"
#include "native/media/pattern/picture.h"
#include "native/media/pattern/reduced_copy.h"
#include "native/media/pipeline/incoming.h"
#include "native/media/records/records.h"

namespace whiteline {

/** What a display window takes at most. */
struct ViewLimits {
  int width = 0;
  int height = 0;
  int picturesPerSecond = 0;
};

/** A captured picture on its way to a display window, in the format it came in. */
struct ViewedPicture {
  /** The reading of its code: numbers hold only where it is not undecodable. */
  PictureStatus status = PictureStatus::Undecodable;
  uint16_t sourceId = 0;
  uint32_t frameNumber = 0;
  PixelFormat format = PixelFormat::Uyvy;
  /** As it was captured. */
  int width = 0;
  int height = 0;
  Rate rate{0, 0};
  /** Half the lines of its frame. */
  bool isField = false;
  /** Of `pixels()`. */
  ReducedSize size{.width = 0, .height = 0, .factor = 1};
  /** Only frames whose number is a multiple of this come; 1: all. */
  int everyNth = 1;
  AlignedBytes memory;

  /** Rows packed. */
  std::span<uint8_t> pixels() { return memory.atLeast(pictureBytes(size.width, size.height, format)); }
};

/**
 * Every picture of a stream for a display window: copied by the thread that looks, fetched by any other. It
 * holds a few at most; of a window that is slow the oldest are dropped, and the window's count of frame
 * numbers shows it. Its memory is used again and again.
 */
class ViewBuffer {
 public:
  ViewBuffer();

  /** Null switches it off. */
  void configure(std::optional<ViewLimits> limits);

  /** Whether this picture is to be offered: of a fast stream only every nth. The thread that captures asks it
   * of every picture. */
  bool wants(const CaptureRecord& record, Rate rate);
  /** A picture that was wanted. One thread at a time. */
  void offer(const PictureView& picture, FrameFormat frameFormat, const CaptureRecord& record, Rate rate);

  /** The oldest picture that was not taken. */
  std::optional<ViewedPicture> take();
  /** Its memory serves again. */
  void giveBack(ViewedPicture&& picture);

 private:
  static constexpr size_t kMostWaiting = 3;
  /** Those, one that is copied and one that is read. */
  static constexpr size_t kMostBuffers = kMostWaiting + 2;

  std::mutex mutex_;
  std::optional<ViewLimits> limits_;
  /** Pictures without a readable number so far. */
  uint32_t unnumbered_ = 0;
  /** Oldest first. */
  std::vector<ViewedPicture> waiting_;
  std::vector<AlignedBytes> spare_;
};

}  // namespace whiteline
