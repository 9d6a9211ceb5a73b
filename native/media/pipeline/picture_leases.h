#pragma once

#include <atomic>
#include <cstdint>

#include "native/media/pipeline/video_input.h"

namespace whiteline {

class PictureLeases;

/** A captured picture, given back to its input when this is destroyed, on whatever thread. */
class LeasedPicture {
 public:
  LeasedPicture() = default;
  ~LeasedPicture();
  LeasedPicture(LeasedPicture&& other) noexcept;
  LeasedPicture& operator=(LeasedPicture&& other) noexcept;

  const IncomingPicture& operator*() const { return picture_; }
  const IncomingPicture* operator->() const { return &picture_; }

 private:
  friend PictureLeases;
  LeasedPicture(PictureLeases& leases, int lease, const IncomingPicture& picture)
      : leases_(&leases), lease_(lease), picture_(picture) {}

  /** Null: holds none. */
  PictureLeases* leases_ = nullptr;
  int lease_ = 0;
  IncomingPicture picture_{};
};

/** Which leases of an input are free. The input and this outlive every leased picture. */
class PictureLeases {
 public:
  explicit PictureLeases(VideoInput& input) : input_(input) {}

  /** What came; a picture is in `picture` too. Failure where no lease is free, too. */
  Incoming capture(int timeoutMs, LeasedPicture& picture);

 private:
  friend LeasedPicture;
  void giveBack(int lease);

  VideoInput& input_;
  /** A bit for each lease that is taken. */
  std::atomic<uint32_t> taken_{0};
};

}  // namespace whiteline
