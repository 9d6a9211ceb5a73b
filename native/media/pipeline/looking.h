#pragma once

#include <array>
#include <condition_variable>
#include <cstddef>
#include <memory>
#include <mutex>
#include <thread>

#include "native/media/pipeline/picture_leases.h"
#include "native/media/pipeline/preview_buffer.h"
#include "native/media/pipeline/view_buffer.h"
#include "native/media/quality/picture_keeper.h"
#include "native/media/records/records.h"

namespace whiteline {

/**
 * What looks at the pictures of a stream beside the measurement: a preview, the view of a display window, a
 * keeper of pictures. It has a thread of its own, which sleeps while nothing looks: the thread that captures
 * hands a picture over and captures the next one.
 *
 * A picture that comes while too many wait is ignored. The preview is then made of a later one; the
 * window counts the absent number; the keeper reports the frame as skipped.
 */
class Looking {
 public:
  Looking();
  ~Looking();
  Looking(const Looking&) = delete;
  Looking& operator=(const Looking&) = delete;

  PreviewBuffer& preview() { return preview_; }
  /** Every picture, while a display window shows the stream. */
  ViewBuffer& view() { return view_; }
  /** Where a keeper of captured pictures is put: of the first picture of a frame whose code is good. */
  KeeperPlace& keeperPlace() { return keeperPlace_; }

  /** The capturing thread's: a picture that can be read, and its record. Does not wait for the looking. */
  void offer(LeasedPicture picture, const CaptureRecord& record);

  /** Ends the thread; no picture is held any more. */
  void close();

 private:
  /** Two beside the one that is copied and the one that is captured. */
  static constexpr size_t kMostWaiting = VideoInput::kMostLeases - 2;

  /** A picture, and what wants it. */
  struct Look {
    LeasedPicture picture;
    CaptureRecord record{};
    bool isPreviewed = false;
    bool isViewed = false;
    /** Has claimed the frame; or null. */
    std::shared_ptr<PictureKeeper> keeper;
  };

  std::shared_ptr<PictureKeeper> keeperThatClaims(const CaptureRecord& record) const;
  bool hasRoom() const;
  void run();
  void carryOut(const Look& look);

  PreviewBuffer preview_;
  ViewBuffer view_;
  KeeperPlace keeperPlace_;

  mutable std::mutex mutex_;
  std::condition_variable changed_;
  /** A ring: `waiting_` of them from `first_` on. */
  std::array<Look, kMostWaiting> looks_;
  size_t first_ = 0;
  size_t waiting_ = 0;
  bool closing_ = false;

  std::thread thread_;
};

}  // namespace whiteline
