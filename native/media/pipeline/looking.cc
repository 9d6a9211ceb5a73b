#include "native/media/pipeline/looking.h"

#include <optional>
#include <utility>

#include "native/base/platform/thread_name.h"
#include "native/base/platform/thread_policy.h"
#include "native/media/pipeline/picture_reader.h"

namespace whiteline {

Looking::Looking() : thread_([this] { run(); }) {}

Looking::~Looking() {
  close();
}

void Looking::close() {
  {
    const std::lock_guard lock(mutex_);
    if (closing_) return;
    closing_ = true;
  }
  changed_.notify_one();
  thread_.join();
  keeperPlace_.put(nullptr);
  for (Look& look : looks_) look = {};
}

void Looking::offer(LeasedPicture picture, const CaptureRecord& record) {
  std::shared_ptr<PictureKeeper> keeper = keeperThatClaims(record);
  const bool isViewed = view_.wants(record, picture->rate);
  // Only this thread fills the room.
  if (!hasRoom()) {
    if (keeper) keeper->leaveOut(record.frameNumber, "the thread that copies pictures did not keep up");
    return;
  }
  const bool isPreviewed = preview_.claim(record.captureNs);
  if (!isPreviewed && !isViewed && !keeper) return;
  {
    const std::lock_guard lock(mutex_);
    looks_[(first_ + waiting_) % kMostWaiting] = {std::move(picture), record, isPreviewed, isViewed,
                                                  std::move(keeper)};
    ++waiting_;
  }
  changed_.notify_one();
}

std::shared_ptr<PictureKeeper> Looking::keeperThatClaims(const CaptureRecord& record) const {
  if (record.status != PictureStatus::Good) return nullptr;
  std::shared_ptr<PictureKeeper> keeper = keeperPlace_.keeper();
  const bool claims = keeper && keeper->sourceId() == record.sourceId && keeper->claim(record.frameNumber);
  return claims ? std::move(keeper) : nullptr;
}

bool Looking::hasRoom() const {
  const std::lock_guard lock(mutex_);
  return waiting_ < kMostWaiting;
}

void Looking::run() {
  nameThread("wl-look");
  adoptThreadPolicy(ThreadRole::Looking);
  std::unique_lock lock(mutex_);
  while (true) {
    changed_.wait(lock, [this] { return closing_ || waiting_ > 0; });
    if (closing_) return;
    {
      const Look look = std::move(looks_[first_]);
      first_ = (first_ + 1) % kMostWaiting;
      --waiting_;
      lock.unlock();
      carryOut(look);
    }
    lock.lock();
  }
}

void Looking::carryOut(const Look& look) {
  const std::optional<PictureView> picture = viewOf(*look.picture);
  if (!picture) return;
  const uint32_t frameNumber = look.record.frameNumber;
  if (look.keeper) look.keeper->keep(frameNumber, *picture);
  if (look.isViewed) view_.offer(*picture, look.picture->frameFormat, look.record, look.picture->rate);
  if (look.isPreviewed) preview_.make(*picture, look.picture->frameFormat, frameNumber);
}

}  // namespace whiteline
