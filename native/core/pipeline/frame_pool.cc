#include "native/core/pipeline/frame_pool.h"

#include <mutex>
#include <utility>
#include <vector>

namespace whiteline {

struct FramePool::Frames {
  const int width;
  const int height;
  const PixelFormat format;
  std::mutex mutex;
  size_t capacity;
  size_t allocated = 0;
  std::vector<std::unique_ptr<Frame>> free;

  Frames(int frameWidth, int frameHeight, PixelFormat frameFormat, size_t frameCapacity)
      : width(frameWidth), height(frameHeight), format(frameFormat), capacity(frameCapacity) {}

  std::unique_ptr<Frame> take() {
    const std::lock_guard lock(mutex);
    if (!free.empty()) {
      // The one used last is the likeliest to be in the processor's cache.
      std::unique_ptr<Frame> frame = std::move(free.back());
      free.pop_back();
      return frame;
    }
    if (allocated >= capacity) return nullptr;
    auto frame = std::make_unique<Frame>(width, height, format);
    ++allocated;
    return frame;
  }

  void giveBack(std::unique_ptr<Frame> frame) {
    const std::lock_guard lock(mutex);
    if (allocated > capacity) {
      --allocated;
    } else {
      free.push_back(std::move(frame));
    }
  }
};

FramePool::FramePool(int width, int height, PixelFormat format, size_t capacity)
    : frames_(std::make_shared<Frames>(width, height, format, capacity)) {}

std::shared_ptr<Frame> FramePool::acquire() {
  std::unique_ptr<Frame> frame = frames_->take();
  if (frame == nullptr) return nullptr;
  return {frame.release(),
          [frames = frames_](Frame* used) { frames->giveBack(std::unique_ptr<Frame>(used)); }};
}

void FramePool::setCapacity(size_t capacity) {
  const std::lock_guard lock(frames_->mutex);
  frames_->capacity = capacity;
  for (; frames_->allocated > capacity && !frames_->free.empty(); --frames_->allocated)
    frames_->free.pop_back();
}

size_t FramePool::allocated() const {
  const std::lock_guard lock(frames_->mutex);
  return frames_->allocated;
}

}  // namespace whiteline
