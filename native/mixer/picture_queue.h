#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <utility>

#include "native/transports/ndi/ndi_api.h"

namespace whiteline::mixer {

/** A picture of an input. Its last owner gives it back to the SDK. */
using Picture = std::shared_ptr<const NDIlib_video_frame_v2_t>;

/**
 * Pictures of one input that wait for their tick. One is taken at each tick, so that the input's jitter does
 * not show.
 */
class PictureQueue {
 public:
  void add(Picture picture) {
    const std::lock_guard lock(mutex_);
    waiting_.push_back(std::move(picture));
    if (waiting_.size() > kMost) waiting_.pop_front();
    isPrimed_ = isPrimed_ || waiting_.size() >= kDepth;
  }

  bool isPrimed() const {
    const std::lock_guard lock(mutex_);
    return isPrimed_;
  }

  /** The oldest picture; none if the input is behind. */
  Picture take() {
    const std::lock_guard lock(mutex_);
    if (!isPrimed_ || waiting_.empty()) return {};
    Picture picture = std::move(waiting_.front());
    waiting_.pop_front();
    return picture;
  }

 private:
  /** How many must wait before the first is taken. */
  static constexpr size_t kDepth = 4;
  static constexpr size_t kMost = 12;

  mutable std::mutex mutex_;
  std::deque<Picture> waiting_;
  bool isPrimed_ = false;
};

}  // namespace whiteline::mixer
