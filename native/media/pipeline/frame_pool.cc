#include "native/media/pipeline/frame_pool.h"

#include <algorithm>
#include <mutex>
#include <new>
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
  /** Memory of references' counters to be used again, all of one size, each holding the way to the next. */
  struct FreeCounter {
    FreeCounter* next;
  };
  FreeCounter* freeCounters = nullptr;

  Frames(int frameWidth, int frameHeight, PixelFormat frameFormat, size_t frameCapacity)
      : width(frameWidth), height(frameHeight), format(frameFormat), capacity(frameCapacity) {
    free.reserve(frameCapacity);
  }
  ~Frames() {
    while (freeCounters != nullptr) ::operator delete(std::exchange(freeCounters, freeCounters->next));
  }
  Frames(const Frames&) = delete;
  Frames& operator=(const Frames&) = delete;

  std::vector<std::unique_ptr<Frame>> setCapacity(size_t newCapacity) {
    std::vector<std::unique_ptr<Frame>> excess;
    const std::lock_guard lock(mutex);
    capacity = newCapacity;
    for (; allocated > capacity && !free.empty(); --allocated) {
      excess.push_back(std::move(free.back()));
      free.pop_back();
    }
    // A frame that comes back must find its place made.
    free.reserve(std::max(capacity, allocated));
    return excess;
  }

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

  void* takeCounter(size_t bytes) {
    {
      const std::lock_guard lock(mutex);
      if (freeCounters != nullptr) return std::exchange(freeCounters, freeCounters->next);
    }
    return ::operator new(bytes);
  }

  void giveCounterBack(void* counter) {
    const std::lock_guard lock(mutex);
    freeCounters = new (counter) FreeCounter{freeCounters};
  }
};

/** Hands shared_ptr the memory of its counter. */
template <class Counter>
struct FramePool::CounterMemory {
  using value_type = Counter;

  explicit CounterMemory(std::shared_ptr<Frames> sharedFrames) : frames(std::move(sharedFrames)) {}
  template <class Other>
  explicit CounterMemory(const CounterMemory<Other>& other) : frames(other.frames) {}

  Counter* allocate(size_t count) {
    return static_cast<Counter*>(frames->takeCounter(count * sizeof(Counter)));
  }
  void deallocate(Counter* counter, size_t) { frames->giveCounterBack(counter); }
  bool operator==(const CounterMemory&) const = default;

  std::shared_ptr<Frames> frames;
};

FramePool::FramePool(int width, int height, PixelFormat format, size_t capacity)
    : frames_(std::make_shared<Frames>(width, height, format, capacity)) {}

PixelFormat FramePool::format() const {
  return frames_->format;
}

std::shared_ptr<Frame> FramePool::acquire() {
  std::unique_ptr<Frame> frame = frames_->take();
  if (frame == nullptr) return nullptr;
  // The frames outlive their references: the memory of each counter holds them.
  return {frame.release(),
          [frames = frames_.get()](Frame* used) { frames->giveBack(std::unique_ptr<Frame>(used)); },
          CounterMemory<Frame>(frames_)};
}

std::vector<std::unique_ptr<Frame>> FramePool::setCapacity(size_t capacity) {
  return frames_->setCapacity(capacity);
}

size_t FramePool::allocated() const {
  const std::lock_guard lock(frames_->mutex);
  return frames_->allocated;
}

}  // namespace whiteline
