#pragma once

#include <cstdint>
#include <mutex>
#include <vector>

#include "native/media/pattern/picture.h"
#include "native/media/pipeline/incoming.h"

namespace whiteline {

struct Preview {
  /** Rises with each preview, from 1. */
  uint64_t sequence = 0;
  int width = 0;
  int height = 0;
  uint32_t frameNumber = 0;
  /** Packed RGBA. */
  std::vector<uint8_t> pixels;
};

/** The newest small picture of a stream: claimed by the thread that captures, made by the one that looks,
 * read by any other. */
class PreviewBuffer {
 public:
  /** 0 Hz switches previews off. */
  void configure(double rateHz, int maxWidth);

  /** Whether one is due, and then is to be made: the first that comes in each interval of the clock.
   * Intervals begin 40 ms before the multiples of 1/rate, so that a look at a multiple finds a new one. */
  bool claim(int64_t nowNs);
  /** Reduces the picture to the shape of its frame, into memory that is used again and again. One thread at a
   * time. */
  void make(const PictureView& picture, FrameFormat format, uint32_t frameNumber);

  /** Hands the newest preview to `read` if it is newer than `afterSequence`; false otherwise. A longer
   * reading holds the next preview up and nothing else. */
  template <class Read>
  bool readNewest(uint64_t afterSequence, Read&& read) const {
    const std::lock_guard lock(newestMutex_);
    if (newest_.sequence <= afterSequence) return false;
    read(newest_);
    return true;
  }

 private:
  static constexpr int64_t kNone = -1;

  mutable std::mutex mutex_;
  double rateHz_ = 0;
  int maxWidth_ = 0;
  int64_t claimedInterval_ = kNone;

  /** Apart: who captures waits for no reader. */
  mutable std::mutex newestMutex_;
  Preview newest_;

  /** Used by the one that makes. */
  Preview next_;
};

}  // namespace whiteline
