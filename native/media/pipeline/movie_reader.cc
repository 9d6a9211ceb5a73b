#include "native/media/pipeline/movie_reader.h"

#include <chrono>
#include <utility>

#include "native/base/platform/thread_name.h"
#include "native/base/platform/thread_policy.h"
#include "native/media/hap/bgra_picture.h"
#include "native/media/pattern/background.h"

namespace whiteline {
namespace {

constexpr size_t kErrorTailBytes = 2000;
/** A command that has closed its output may take so long to end, so that its exit code can be reported. */
constexpr auto kEndingPatience = std::chrono::milliseconds(500);

}  // namespace

MovieReader::MovieReader(FramePool pool, const Command& command, bool hasAlpha)
    : pool_(std::move(pool)), process_(command), hasAlpha_(hasAlpha), thread_([this] { run(); }) {}

MovieReader::~MovieReader() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  changed_.notify_one();
  process_.interrupt();
  thread_.join();
}

PictureSource::Readiness MovieReader::readiness() {
  const std::lock_guard lock(mutex_);
  if (!ahead_.empty()) return Readiness::Ready;
  return failure_.empty() ? Readiness::Waiting : Readiness::Failed;
}

std::shared_ptr<Frame> MovieReader::next(uint64_t) {
  std::shared_ptr<Frame> frame;
  {
    const std::lock_guard lock(mutex_);
    if (ahead_.empty()) return nullptr;
    frame = std::move(ahead_.front());
    ahead_.pop_front();
  }
  changed_.notify_one();
  return frame;
}

std::string MovieReader::failure() const {
  const std::lock_guard lock(mutex_);
  return failure_;
}

bool MovieReader::stopping() const {
  const std::lock_guard lock(mutex_);
  return stopping_;
}

void MovieReader::run() {
  nameThread("wl-read");
  adoptThreadPolicy(ThreadRole::Background);
  while (std::shared_ptr<Frame> frame = readPicture()) {
    ++picturesRead_;
    std::unique_lock lock(mutex_);
    ahead_.push_back(std::move(frame));
    changed_.wait(lock, [this] { return stopping_ || ahead_.size() < kPicturesAhead; });
  }
}

std::shared_ptr<Frame> MovieReader::readPicture() {
  std::shared_ptr<Frame> frame = acquireFrame();
  if (frame == nullptr) return nullptr;
  const Picture& picture = frame->picture();
  if (!hasAlpha_) return readInto(picture) ? frame : nullptr;
  if (straight_ == nullptr) {
    straight_ = std::make_unique<Frame>(picture.width, picture.height, PixelFormat::Bgra);
    background_ = std::make_unique<Frame>(picture.width, picture.height, picture.format);
    paintNeutralGrid(background_->picture());
  }
  if (!readInto(straight_->picture())) return nullptr;
  composeOver(straight_->picture(), background_->picture(), picture);
  return frame;
}

bool MovieReader::readInto(const Picture& picture) {
  const size_t bytes = pictureBytes(picture.width, picture.height, picture.format);
  std::string errorText;
  for (size_t bytesRead = 0; bytesRead < bytes;) {
    size_t count = 0;
    switch (process_.wait(picture.data + bytesRead, bytes - bytesRead, count, errorText)) {
      case ChildProcess::Event::Output:
        bytesRead += count;
        break;
      case ChildProcess::Event::ErrorText:
        keepErrorText(errorText);
        break;
      case ChildProcess::Event::OutputEnd:
        fail(bytesRead, bytes);
        return false;
      default:  // Interrupted; the others are of children that are written to.
        return false;
    }
  }
  return true;
}

std::shared_ptr<Frame> MovieReader::acquireFrame() {
  // The pool's bound leaves room for us, but a sender on its way out may hold a frame a moment longer.
  while (!stopping()) {
    if (std::shared_ptr<Frame> frame = pool_.acquire()) return frame;
    std::this_thread::sleep_for(kPoolPoll);
  }
  return nullptr;
}

void MovieReader::keepErrorText(const std::string& text) {
  errorTail_ += text;
  if (errorTail_.size() > kErrorTailBytes) errorTail_.erase(0, errorTail_.size() - kErrorTailBytes);
}

void MovieReader::fail(size_t bytesRead, size_t bytesPerPicture) {
  const ChildProcess::Ending ending = process_.end(kEndingPatience);
  keepErrorText(ending.errorText);
  std::string message = "The movie's command ended with " + ending.how + " after " +
                        std::to_string(picturesRead_) + " pictures";
  if (bytesRead > 0) {
    message +=
        " and " + std::to_string(bytesRead) + " of " + std::to_string(bytesPerPicture) + " bytes of the next";
  }
  message += errorTail_.empty() ? "; it wrote nothing to standard error" : ":\n" + errorTail_;
  const std::lock_guard lock(mutex_);
  failure_ = message;
}

}  // namespace whiteline
