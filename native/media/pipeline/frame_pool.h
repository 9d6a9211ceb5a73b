#pragma once

#include <chrono>
#include <cstddef>
#include <memory>
#include <vector>

#include "native/media/pattern/picture.h"
#include "native/media/pipeline/frame.h"

namespace whiteline {

/** The pause between two tries to acquire a frame. */
inline constexpr auto kPoolPoll = std::chrono::milliseconds(1);

/**
 * Reused frames of one size. A frame returns when its last reference goes, even after the pool itself; copies
 * of a pool share their frames. Bounded: no more than `capacity` frames exist at a time; they are made when
 * first needed, and nothing is allocated after that.
 */
class FramePool {
 public:
  FramePool(int width, int height, PixelFormat format, size_t capacity);

  PixelFormat format() const;
  /** Null when all frames are in use. */
  std::shared_ptr<Frame> acquire();
  /** Returns the free frames beyond it. To let go of them takes long: a caller with a lock ends that first.
   */
  std::vector<std::unique_ptr<Frame>> setCapacity(size_t capacity);
  /** Frames that exist, in use or free. */
  size_t allocated() const;

 private:
  struct Frames;
  template <class Counter>
  struct CounterMemory;
  std::shared_ptr<Frames> frames_;
};

}  // namespace whiteline
