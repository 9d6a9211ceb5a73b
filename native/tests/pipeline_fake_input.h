#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <deque>
#include <functional>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "native/media/framecode/code_stamper.h"
#include "native/media/pattern/background.h"
#include "native/media/pipeline/frame_metadata.h"
#include "native/media/pipeline/video_input.h"
#include "native/tests/test_picture.h"

namespace whiteline::test {

/** What a fake input has to give, and what was done to it; outlives it. */
struct Wire {
  struct Picture {
    OwnedPicture picture;
    uint32_t fourCc = 0;
    std::string metadata;
    int strideBytes = 0;
  };
  /** Sound, or with no sample rate metadata. */
  struct Side {
    std::vector<float> samples;
    int sampleRate = 0;
    std::string metadata;
  };

  void put(Picture picture) {
    const std::lock_guard lock(mutex);
    pictures.push_back(std::move(picture));
  }
  void putSide(Side item) {
    const std::lock_guard lock(mutex);
    side.push_back(std::move(item));
  }
  std::vector<std::string> sentTexts() {
    const std::lock_guard lock(mutex);
    return sent;
  }

  std::mutex mutex;
  std::deque<Picture> pictures;
  std::deque<Side> side;
  std::vector<SourceAddress> connectedTo;
  std::vector<std::string> sent;
  /** Whether there is a sender to send to. */
  bool isConnected = true;
  int picturesOut = 0;
  int soundOut = 0;
  /** Whether the side thread was in a call while the input was being connected. */
  bool wasSharedWhileConnecting = false;
  std::atomic<bool> isInSideCall{false};
  /** What the other side does with what is sent to it. */
  std::function<void(const std::string&)> onSent = [](const std::string&) {};
  /** How long a side call without anything to give lasts, at most the time-out. */
  std::chrono::milliseconds sideWait{1};
  /** The time-outs that side calls were given. */
  std::set<int> sideTimeoutsMs;
};

class FakeInput final : public VideoInput {
 public:
  explicit FakeInput(Wire& wire) : wire_(wire) {}

  bool capture(int, IncomingPicture& picture) override {
    {
      const std::lock_guard lock(wire_.mutex);
      if (!wire_.pictures.empty()) {
        current_.emplace(std::move(wire_.pictures.front()));
        wire_.pictures.pop_front();
        ++wire_.picturesOut;
        const PictureView view = current_->picture.view();
        picture = {view.data,
                   current_->strideBytes != 0 ? current_->strideBytes : view.strideBytes,
                   view.width,
                   view.height,
                   current_->fourCc,
                   {30, 1},
                   FrameFormat::Fields,
                   kNoTime,
                   1234,
                   current_->metadata.c_str()};
        return true;
      }
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    return false;
  }
  void release() override {
    const std::lock_guard lock(wire_.mutex);
    --wire_.picturesOut;
  }
  void connect(const SourceAddress& address) override {
    // Long enough for a side call to begin meanwhile, if it could.
    for (int turn = 0; turn < 30; ++turn) {
      if (wire_.isInSideCall) wire_.wasSharedWhileConnecting = true;
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    const std::lock_guard lock(wire_.mutex);
    wire_.connectedTo.push_back(address);
  }
  uint32_t droppedPictures() override { return 17; }
  int connections() override { return 1; }
  int queueDepth() override { return 2; }

  Arrival captureSide(int timeoutMs, IncomingAudio& audio, std::string& metadata) override {
    wire_.isInSideCall = true;
    const Arrival arrival = takeSide(timeoutMs, audio, metadata);
    if (arrival == Arrival::Nothing) {
      std::this_thread::sleep_for(std::min(wire_.sideWait, std::chrono::milliseconds(timeoutMs)));
    }
    wire_.isInSideCall = false;
    return arrival;
  }
  void releaseAudio() override {
    const std::lock_guard lock(wire_.mutex);
    --wire_.soundOut;
  }
  bool sendMetadata(const std::string& xml) override {
    {
      const std::lock_guard lock(wire_.mutex);
      if (!wire_.isConnected) return false;
      wire_.sent.push_back(xml);
    }
    wire_.onSent(xml);
    return true;
  }

 private:
  Arrival takeSide(int timeoutMs, IncomingAudio& audio, std::string& metadata) {
    const std::lock_guard lock(wire_.mutex);
    wire_.sideTimeoutsMs.insert(timeoutMs);
    if (wire_.side.empty()) return Arrival::Nothing;
    side_ = std::move(wire_.side.front());
    wire_.side.pop_front();
    if (side_.sampleRate == 0) {
      metadata = side_.metadata;
      return Arrival::Metadata;
    }
    ++wire_.soundOut;
    audio = {side_.samples.data(), static_cast<int>(side_.samples.size()), side_.sampleRate,
             side_.metadata.empty() ? nullptr : side_.metadata.c_str()};
    return Arrival::Audio;
  }

  Wire& wire_;
  std::optional<Wire::Picture> current_;
  Wire::Side side_;
};

inline Wire::Picture codedPicture(uint32_t frameNumber, PixelFormat format = PixelFormat::Uyvy,
                                  int width = 640, int height = 360) {
  OwnedPicture picture(width, height, format);
  paintNeutralGrid(picture.picture());
  CodeStamper(width, height, format).stamp(picture.picture(), {77, frameNumber, 1000 + frameNumber});
  const uint32_t code = format == PixelFormat::Uyvy ? fourCc('U', 'Y', 'V', 'Y') : fourCc('B', 'G', 'R', 'A');
  return {std::move(picture), code, frameMetadata(5, frameNumber), 0};
}

}  // namespace whiteline::test
