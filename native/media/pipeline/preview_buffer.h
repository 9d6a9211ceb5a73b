#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "native/media/pattern/picture.h"

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

/** The newest small picture of a stream: made by the receiver's thread, fetched by any other. */
class PreviewBuffer {
 public:
  /** 0 Hz switches previews off. */
  void configure(double rateHz, int maxWidth);

  /** Reduces the picture if a preview is due. */
  void offer(const PictureView& picture, uint32_t frameNumber, int64_t nowNs);

  /** The newest preview if it is newer than `afterSequence`, otherwise null. */
  std::shared_ptr<const Preview> newest(uint64_t afterSequence) const;

 private:
  mutable std::mutex mutex_;
  int64_t intervalNs_ = 0;
  int maxWidth_ = 0;
  int64_t dueNs_ = 0;
  uint64_t sequence_ = 0;
  std::shared_ptr<const Preview> newest_;
};

}  // namespace whiteline
