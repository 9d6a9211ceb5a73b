#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <cstring>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <utility>

#include "native/media/hap/movie_error.h"
#include "native/media/pipeline/hap_pictures.h"
#include "native/media/pipeline/playable_movie.h"

namespace whiteline::test {

constexpr int kMovieWidth = 320;
constexpr int kMovieHeight = 180;

/** Frames that last `ticksPerFrame` each. */
inline MovieIndex evenIndex(size_t frames, uint32_t timeScale, uint32_t ticksPerFrame) {
  MovieIndex index{};
  index.variant = HapVariant::HapQ;
  index.width = kMovieWidth;
  index.height = kMovieHeight;
  index.timeScale = timeScale;
  for (size_t frame = 0; frame < frames; ++frame)
    index.samples.push_back({1000 * frame, 1000, frame * ticksPerFrame});
  index.durationTicks = frames * ticksPerFrame;
  index.rate = {timeScale, ticksPerFrame};
  index.constantRate = true;
  return index;
}

/** Holds a thread up until it is opened. */
class Gate {
 public:
  void pass() {
    std::unique_lock lock(mutex_);
    ++waiting_;
    changed_.notify_all();
    changed_.wait(lock, [this] { return open_; });
  }
  void open() {
    {
      const std::lock_guard lock(mutex_);
      open_ = true;
    }
    changed_.notify_all();
  }
  /** Until so many have come to the gate. */
  void waitForArrivals(int count) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return waiting_ >= count; });
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  bool open_ = false;
  int waiting_ = 0;
};

/** What a fake movie does, and what it has seen. Outlives it. */
struct MovieScript {
  using Step = std::function<void(size_t frame)>;

  MovieIndex index = evenIndex(12, 30, 1);
  bool readsDisk = true;
  /** May take their time, or throw. */
  Step onRead = [](size_t) {};
  Step onDecode = [](size_t) {};

  std::atomic<int> reads{0};
  std::atomic<int> decodes{0};
  std::atomic<int> reopenings{0};
  /** Of the newest decoding. */
  std::atomic<bool> hadBackground{false};
};

/** A movie whose pictures say which frame they are, slow or damaged as its script has it. */
class FakeMovie final : public PlayableMovie {
 public:
  explicit FakeMovie(MovieScript& script) : script_(script) {}

  const std::string& path() const override { return path_; }
  const MovieIndex& index() const override { return script_.index; }
  bool readsDisk() const override { return script_.readsDisk; }
  FrameBytes readFrame(size_t frame, AlignedBytes& target) override {
    ++script_.reads;
    script_.onRead(frame);
    return {frame, target.atLeast(1000), nullptr};
  }
  void reopen() override { ++script_.reopenings; }
  void decode(HapFrameDecoder&, const FrameBytes& frame, const Picture& target,
              const PictureView* background) const override {
    ++script_.decodes;
    script_.hadBackground = background != nullptr;
    script_.onDecode(frame.frame);
    const auto number = static_cast<uint32_t>(frame.frame);
    const size_t bytes = pictureBytes(target.width, target.height, target.format);
    for (size_t at = 0; at < bytes; at += sizeof number)
      std::memcpy(target.data + at, &number, sizeof number);
  }

 private:
  MovieScript& script_;
  const std::string path_ = "fake.mov";
};

/** The frame that a fake movie's picture shows, be there a white line in it or not. */
inline uint32_t frameShown(const PictureView& picture) {
  const uint8_t* row = rowOf(picture, picture.height / 2);
  uint32_t left = 0;
  uint32_t right = 0;
  std::memcpy(&left, row, sizeof left);
  std::memcpy(&right, row + picture.strideBytes / 2, sizeof right);
  // Of two places so far apart, the line covers one at most, with a number that no frame has.
  return std::min(left, right);
}

/** The pictures of a fake movie in a pool of their own. */
struct FakeHap {
  MovieScript script;
  MovieHealth health;
  FramePool pool{kMovieWidth, kMovieHeight, PixelFormat::Uyvy, HapPictures::kPicturesAhead + 4};
  std::unique_ptr<HapPictures> pictures;

  HapPictures& play(Rate rate = {30, 1}, size_t startFrame = 0,
                    std::shared_ptr<DecodePool> decodePool = std::make_shared<DecodePool>(2)) {
    pictures = std::make_unique<HapPictures>(pool, std::make_unique<FakeMovie>(script), rate, startFrame,
                                             std::move(decodePool), health);
    return *pictures;
  }
};

}  // namespace whiteline::test
