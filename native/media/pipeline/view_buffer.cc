#include "native/media/pipeline/view_buffer.h"

#include <utility>

namespace whiteline {
namespace {

constexpr size_t kMostWaiting = 3;

/** Every how many-th frame keeps a rate within a limit. */
int everyNthOf(Rate rate, int mostPerSecond) {
  if (rate.numerator == 0 || rate.denominator == 0) return 1;
  const auto most = static_cast<uint64_t>(mostPerSecond) * rate.denominator;
  return static_cast<int>((rate.numerator + most - 1) / most);
}

}  // namespace

void ViewBuffer::configure(std::optional<ViewLimits> limits) {
  const std::lock_guard lock(mutex_);
  limits_ = limits;
  if (limits_) return;
  waiting_.clear();
  spare_.clear();
}

void ViewBuffer::offer(const PictureView& picture, const CaptureRecord& record, Rate rate) {
  ViewedPicture viewed;
  // By the number and not by the time, so that a lost frame is distinguished from one that is left out.
  const bool isNumbered = record.status != PictureStatus::Undecodable;
  {
    const std::lock_guard lock(mutex_);
    if (!limits_) return;
    viewed.everyNth = everyNthOf(rate, limits_->picturesPerSecond);
    const uint32_t number = isNumbered ? record.frameNumber : unnumbered_++;
    if (number % static_cast<uint32_t>(viewed.everyNth) != 0) return;
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
  copyReduced(picture, viewed.size, viewed.pixels().data());
  const std::lock_guard lock(mutex_);
  if (!limits_) return;
  if (waiting_.size() == kMostWaiting) {
    spare_.push_back(std::move(waiting_.front().memory));
    waiting_.pop_front();
  }
  waiting_.push_back(std::move(viewed));
}

std::optional<ViewedPicture> ViewBuffer::take() {
  const std::lock_guard lock(mutex_);
  if (waiting_.empty()) return std::nullopt;
  ViewedPicture oldest = std::move(waiting_.front());
  waiting_.pop_front();
  return oldest;
}

void ViewBuffer::giveBack(ViewedPicture&& picture) {
  const std::lock_guard lock(mutex_);
  if (limits_ && spare_.size() <= kMostWaiting) spare_.push_back(std::move(picture.memory));
}

}  // namespace whiteline
