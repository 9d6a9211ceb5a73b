#include "native/media/quality/picture_keeper.h"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <utility>

#include "native/base/platform/error.h"
#include "native/base/platform/thread_name.h"
#include "native/base/platform/thread_policy.h"

namespace whiteline {
namespace {

/** Copies that may wait for the disk. */
constexpr size_t kBuffers = 3;

}  // namespace

PictureKeeper::PictureKeeper(KeeperOptions options, StreamEnd end)
    : options_(std::move(options)),
      end_(end),
      wanted_(options_.frames),
      // Filled here: the stream's thread is not to wait for fresh memory.
      free_(kBuffers,
            std::vector<uint8_t>(pictureBytes(options_.width, options_.height, PixelFormat::Uyvy), 1)) {
  std::sort(wanted_.begin(), wanted_.end());
  thread_ = std::thread([this] { run(); });
}

PictureKeeper::~PictureKeeper() {
  close();
}

void PictureKeeper::close() {
  {
    const std::lock_guard lock(mutex_);
    if (closing_) return;
    closing_ = true;
    wanted_.clear();
    copies_.clear();
  }
  changed_.notify_one();
  thread_.join();
  for (const uint32_t frameNumber : status_.written) {
    std::remove(pictureFile(options_.folder, end_, frameNumber).c_str());
  }
}

KeptPictures PictureKeeper::status() const {
  const std::lock_guard lock(mutex_);
  return status_;
}

bool PictureKeeper::fits(const PictureView& picture) const {
  return picture.format == PixelFormat::Uyvy && picture.width == options_.width &&
         picture.height == options_.height;
}

bool PictureKeeper::claim(uint32_t frameNumber) {
  const std::lock_guard lock(mutex_);
  const auto place = std::lower_bound(wanted_.begin(), wanted_.end(), frameNumber);
  if (place == wanted_.end() || *place != frameNumber) return false;
  wanted_.erase(place);
  ++status_.waiting;
  return true;
}

void PictureKeeper::leaveOut(uint32_t frameNumber, std::string why) {
  const std::lock_guard lock(mutex_);
  skip(frameNumber, std::move(why));
}

void PictureKeeper::skip(uint32_t frameNumber, std::string why) {
  status_.skipped.push_back({frameNumber, std::move(why)});
  --status_.waiting;
}

void PictureKeeper::keep(uint32_t frameNumber, const PictureView& picture) {
  Copy copy{frameNumber, {}};
  {
    const std::lock_guard lock(mutex_);
    if (closing_) return;
    if (!fits(picture)) return skip(frameNumber, "it is of another size or format");
    if (free_.empty()) return skip(frameNumber, "the disk did not keep up");
    copy.bytes = std::move(free_.back());
    free_.pop_back();
  }
  const auto rowBytes = static_cast<size_t>(packedStride(picture.width, picture.format));
  uint8_t* target = copy.bytes.data();
  for (int y = 0; y < picture.height; ++y, target += rowBytes) {
    std::memcpy(target, rowOf(picture, y), rowBytes);
  }
  {
    const std::lock_guard lock(mutex_);
    if (closing_) return;
    copies_.push_back(std::move(copy));
  }
  changed_.notify_one();
}

void PictureKeeper::run() {
  nameThread("wl-keep");
  adoptThreadPolicy(ThreadRole::Background);
  std::unique_lock lock(mutex_);
  while (true) {
    changed_.wait(lock, [this] { return closing_ || !copies_.empty(); });
    if (closing_) return;
    Copy copy = std::move(copies_.front());
    copies_.pop_front();
    lock.unlock();
    write(copy);
    lock.lock();
    free_.push_back(std::move(copy.bytes));
    --status_.waiting;
  }
}

void PictureKeeper::write(const Copy& copy) {
  try {
    writePictureFile(pictureFile(options_.folder, end_, copy.frameNumber), copy.bytes);
    const std::lock_guard lock(mutex_);
    status_.written.push_back(copy.frameNumber);
  } catch (const Error& error) {
    const std::lock_guard lock(mutex_);
    status_.skipped.push_back({copy.frameNumber, error.what()});
  }
}

KeeperPlace::~KeeperPlace() {
  put(nullptr);
}

void KeeperPlace::put(std::shared_ptr<PictureKeeper> keeper) {
  {
    const std::lock_guard lock(mutex_);
    keeper_.swap(keeper);
  }
  // The stream's thread may be about to let go of it last: its files go here all the same.
  if (keeper) keeper->close();
}

std::shared_ptr<PictureKeeper> KeeperPlace::keeper() const {
  const std::lock_guard lock(mutex_);
  return keeper_;
}

}  // namespace whiteline
