#include "native/media/pipeline/preview_buffer.h"

#include <utility>

#include "native/base/pacing/time_units.h"
#include "native/media/pattern/preview.h"

namespace whiteline {
namespace {

/** In this time a picture of 25 a second comes, and is made small. */
constexpr int64_t kAheadNs = 40 * kNsPerMs;

}  // namespace

void PreviewBuffer::configure(double rateHz, int maxWidth) {
  const std::lock_guard lock(mutex_);
  if (rateHz == rateHz_ && maxWidth == maxWidth_) return;
  rateHz_ = rateHz;
  maxWidth_ = maxWidth;
  claimedInterval_ = kNone;
}

bool PreviewBuffer::claim(int64_t nowNs) {
  const std::lock_guard lock(mutex_);
  if (rateHz_ <= 0) return false;
  const double seconds = static_cast<double>(nowNs + kAheadNs) / double{kNsPerSecond};
  const auto interval = static_cast<int64_t>(seconds * rateHz_);
  return std::exchange(claimedInterval_, interval) != interval;
}

void PreviewBuffer::make(const PictureView& picture, FrameFormat format, uint32_t frameNumber) {
  int maxWidth = 0;
  {
    const std::lock_guard lock(mutex_);
    maxWidth = maxWidth_;
  }
  const int frameHeight = format == FrameFormat::Fields ? 2 * picture.height : picture.height;
  const PreviewSize size = previewSize(picture.width, frameHeight, maxWidth);
  next_.width = size.width;
  next_.height = size.height;
  next_.frameNumber = frameNumber;
  next_.pixels.resize(static_cast<size_t>(size.width) * static_cast<size_t>(size.height) * 4);
  reduceToRgba(picture, frameHeight, size, next_.pixels.data());
  const std::lock_guard lock(newestMutex_);
  next_.sequence = newest_.sequence + 1;
  std::swap(newest_, next_);
}

}  // namespace whiteline
