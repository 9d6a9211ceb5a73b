#include "native/media/pipeline/preview_buffer.h"

#include <algorithm>
#include <utility>

#include "native/media/pattern/preview.h"

namespace whiteline {

void PreviewBuffer::configure(double rateHz, int maxWidth) {
  const int64_t intervalNs = rateHz > 0 ? static_cast<int64_t>(1e9 / rateHz) : 0;
  const std::lock_guard lock(mutex_);
  // Asked for the same again and again, it keeps its beat.
  if (intervalNs == intervalNs_ && maxWidth == maxWidth_) return;
  intervalNs_ = intervalNs;
  maxWidth_ = maxWidth;
  dueNs_ = 0;
}

bool PreviewBuffer::claim(int64_t nowNs) {
  const std::lock_guard lock(mutex_);
  if (intervalNs_ == 0 || nowNs < dueNs_) return false;
  // Keeps the beat where it can, without making up for what was missed.
  dueNs_ = std::max(dueNs_ + intervalNs_, nowNs + intervalNs_ / 2);
  return true;
}

void PreviewBuffer::make(const PictureView& picture, uint32_t frameNumber, int64_t nowNs) {
  int maxWidth = 0;
  {
    const std::lock_guard lock(mutex_);
    maxWidth = maxWidth_;
  }
  const PreviewSize size = previewSize(picture.width, picture.height, maxWidth);
  next_.width = size.width;
  next_.height = size.height;
  next_.frameNumber = frameNumber;
  next_.madeNs = nowNs;
  next_.pixels.resize(static_cast<size_t>(size.width) * static_cast<size_t>(size.height) * 4);
  reduceToRgba(picture, size, next_.pixels.data());
  const std::lock_guard lock(newestMutex_);
  next_.sequence = newest_.sequence + 1;
  std::swap(newest_, next_);
}

}  // namespace whiteline
