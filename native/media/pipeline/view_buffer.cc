#include "native/media/pipeline/view_buffer.h"

#include <utility>

namespace whiteline {
namespace {

/** Every how many-th frame keeps a rate within a limit. */
int everyNthOf(Rate rate, int mostPerSecond) {
  if (rate.numerator == 0 || rate.denominator == 0) return 1;
  const auto most = static_cast<uint64_t>(mostPerSecond) * rate.denominator;
  return static_cast<int>((rate.numerator + most - 1) / most);
}

}  // namespace

ViewBuffer::ViewBuffer() {
  waiting_.reserve(kMostWaiting);
  spare_.reserve(kMostBuffers);
}

void ViewBuffer::configure(std::optional<ViewLimits> limits) {
  std::vector<AlignedBytes> unused;
  unused.reserve(2 * kMostBuffers);
  const std::lock_guard lock(mutex_);
  limits_ = limits;
  if (limits_) return;
  // Large, and so given back to the system without the lock.
  for (ViewedPicture& picture : waiting_) unused.push_back(std::move(picture.memory));
  for (AlignedBytes& memory : spare_) unused.push_back(std::move(memory));
  waiting_.clear();
  spare_.clear();
}

bool ViewBuffer::wants(const CaptureRecord& record, Rate rate) {
  const std::lock_guard lock(mutex_);
  if (!limits_) return false;
  // By the number and not by the time, so that a lost frame is distinguished from one that is left out.
  const bool isNumbered = record.status != PictureStatus::Undecodable;
  const uint32_t number = isNumbered ? record.frameNumber : unnumbered_++;
  return number % static_cast<uint32_t>(everyNthOf(rate, limits_->picturesPerSecond)) == 0;
}

void ViewBuffer::offer(const PictureView& picture, FrameFormat frameFormat, const CaptureRecord& record,
                       Rate rate) {
  ViewedPicture viewed;
  {
    const std::lock_guard lock(mutex_);
    if (!limits_) return;
    viewed.everyNth = everyNthOf(rate, limits_->picturesPerSecond);
    viewed.size = reducedSize(picture.width, picture.height, limits_->width, limits_->height);
    if (!spare_.empty()) {
      viewed.memory = std::move(spare_.back());
      spare_.pop_back();
    }
  }
  viewed.status = record.status;
  viewed.sourceId = record.sourceId;
  viewed.frameNumber = record.frameNumber;
  viewed.format = picture.format;
  viewed.width = picture.width;
  viewed.height = picture.height;
  viewed.rate = rate;
  viewed.isField = frameFormat == FrameFormat::Fields;
  copyReduced(picture, viewed.size, viewed.pixels().data());
  const std::lock_guard lock(mutex_);
  if (!limits_) return;
  if (waiting_.size() == kMostWaiting) {
    spare_.push_back(std::move(waiting_.front().memory));
    waiting_.erase(waiting_.begin());
  }
  waiting_.push_back(std::move(viewed));
}

std::optional<ViewedPicture> ViewBuffer::take() {
  const std::lock_guard lock(mutex_);
  if (waiting_.empty()) return std::nullopt;
  ViewedPicture oldest = std::move(waiting_.front());
  waiting_.erase(waiting_.begin());
  return oldest;
}

void ViewBuffer::giveBack(ViewedPicture&& picture) {
  const std::lock_guard lock(mutex_);
  if (limits_ && spare_.size() < kMostBuffers) spare_.push_back(std::move(picture.memory));
}

}  // namespace whiteline
