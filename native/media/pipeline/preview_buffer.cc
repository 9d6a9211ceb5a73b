#include "native/media/pipeline/preview_buffer.h"

#include <algorithm>

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

void PreviewBuffer::offer(const PictureView& picture, uint32_t frameNumber, int64_t nowNs) {
  int maxWidth = 0;
  {
    const std::lock_guard lock(mutex_);
    if (intervalNs_ == 0 || nowNs < dueNs_) return;
    // Keeps the beat where it can, without making up for what was missed.
    dueNs_ = std::max(dueNs_ + intervalNs_, nowNs + intervalNs_ / 2);
    maxWidth = maxWidth_;
  }
  const PreviewSize size = previewSize(picture.width, picture.height, maxWidth);
  auto preview = std::make_shared<Preview>();
  preview->width = size.width;
  preview->height = size.height;
  preview->frameNumber = frameNumber;
  preview->pixels.resize(static_cast<size_t>(size.width) * static_cast<size_t>(size.height) * 4);
  reduceToRgba(picture, size, preview->pixels.data());
  const std::lock_guard lock(mutex_);
  preview->sequence = ++sequence_;
  newest_ = std::move(preview);
}

std::shared_ptr<const Preview> PreviewBuffer::newest(uint64_t afterSequence) const {
  const std::lock_guard lock(mutex_);
  return newest_ && newest_->sequence > afterSequence ? newest_ : nullptr;
}

}  // namespace whiteline
