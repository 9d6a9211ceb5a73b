#pragma once

#include <algorithm>
#include <array>
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
#include <variant>
#include <vector>

#include "native/media/framecode/code_stamper.h"
#include "native/media/pattern/background.h"
#include "native/media/pipeline/video_input.h"
#include "native/tests/test_picture.h"

namespace whiteline::test {

/** What a fake input has to give, and what was done to it; outlives it. */
struct Wire {
  struct Picture {
    OwnedPicture picture;
    IncomingFormat format;
    std::optional<FrameLabel> label;
    int strideBytes = 0;
    std::optional<Integrity> integrity;
  };
  struct Sound {
    std::vector<float> samples;
    int sampleRate;
    std::optional<FrameLabel> label;
  };
  using Side = std::variant<Sound, std::string, TimeAnswer>;

  void put(Picture picture) {
    const std::lock_guard lock(mutex);
    pictures.push_back(std::move(picture));
  }
  void putSide(Side item) {
    const std::lock_guard lock(mutex);
    side.push_back(std::move(item));
  }
  int allVainCaptures() {
    const std::lock_guard lock(mutex);
    return vainCaptures;
  }
  std::vector<TimeQuestion> allQuestions() {
    const std::lock_guard lock(mutex);
    return questions;
  }

  std::mutex mutex;
  std::deque<Picture> pictures;
  std::deque<Side> side;
  std::vector<SourceAddress> connectedTo;
  std::vector<TimeQuestion> questions;
  int picturesOut = 0;
  /** How often a picture was released that was not out. */
  int releasedTwice = 0;
  /** Pictures that were out when the input went; -1 while it is there. */
  int outAtTheEnd = -1;
  /** Whether the input fails instead, and how often it was asked then. */
  bool fails = false;
  int failures = 0;
  /** How often it was asked for a picture and had nothing: then all that is done with those before is done.
   */
  int vainCaptures = 0;
  int soundOut = 0;
  /** What the other side does with a question. */
  std::function<void(const TimeQuestion&)> onAsked = [](const TimeQuestion&) {};
  /** How long a call without anything to give lasts, at most the time-out. */
  std::chrono::milliseconds wait{1};
  /** The time-outs that calls were given. */
  std::set<int> timeoutsMs;
};

class FakeInput final : public VideoInput {
 public:
  explicit FakeInput(Wire& wire) : wire_(wire) {}

  ~FakeInput() override {
    const std::lock_guard lock(wire_.mutex);
    wire_.outAtTheEnd = wire_.picturesOut;
  }

  Incoming capture(int timeoutMs, std::optional<int> lease) override {
    Incoming incoming = next(timeoutMs, lease);
    if (std::holds_alternative<std::monostate>(incoming)) {
      std::this_thread::sleep_for(std::min(wire_.wait, std::chrono::milliseconds(timeoutMs)));
    }
    return incoming;
  }
  void releaseAudio() override {
    const std::lock_guard lock(wire_.mutex);
    --wire_.soundOut;
  }
  /** What is used of the picture from now on is no longer there. */
  void release(int lease) override {
    const std::lock_guard lock(wire_.mutex);
    std::optional<Wire::Picture>& current = out_[static_cast<size_t>(lease)];
    if (!current) ++wire_.releasedTwice;
    current.reset();
    --wire_.picturesOut;
  }
  void connect(const SourceAddress& address) override {
    const std::lock_guard lock(wire_.mutex);
    wire_.connectedTo.push_back(address);
  }
  std::optional<uint32_t> droppedPictures() override { return 17; }
  std::optional<int> connections() override { return 1; }
  std::optional<int> queueDepth() override { return 2; }

  void askTime(const TimeQuestion& question) override {
    {
      const std::lock_guard lock(wire_.mutex);
      wire_.questions.push_back(question);
    }
    wire_.onAsked(question);
  }

 private:
  Incoming next(int timeoutMs, std::optional<int> lease) {
    const std::lock_guard lock(wire_.mutex);
    wire_.timeoutsMs.insert(timeoutMs);
    if (wire_.fails) {
      ++wire_.failures;
      return InputFailure();
    }
    if (lease && !wire_.pictures.empty()) return nextPicture(*lease);
    if (!wire_.side.empty()) return nextSide();
    if (lease) ++wire_.vainCaptures;
    return std::monostate();
  }

  IncomingPicture nextPicture(int lease) {
    std::optional<Wire::Picture>& current = out_[static_cast<size_t>(lease)];
    current.emplace(std::move(wire_.pictures.front()));
    wire_.pictures.pop_front();
    ++wire_.picturesOut;
    const PictureView view = current->picture.view();
    return {.format = current->format,
            .planes = {{{view.data, current->strideBytes != 0 ? current->strideBytes : view.strideBytes}}},
            .width = view.width,
            .height = view.height,
            .rate = {30, 1},
            .frameFormat = FrameFormat::Fields,
            .sentNs = std::nullopt,
            .mediaTimeNs = 1234,
            .integrity = current->integrity,
            .label = current->label,
            .announcement = std::nullopt};
  }

  Incoming nextSide() {
    side_ = std::move(wire_.side.front());
    wire_.side.pop_front();
    if (const auto* text = std::get_if<std::string>(&side_)) return *text;
    if (const auto* answer = std::get_if<TimeAnswer>(&side_)) return *answer;
    ++wire_.soundOut;
    const auto& [samples, sampleRate, label] = std::get<Wire::Sound>(side_);
    return IncomingAudio{samples.data(), static_cast<int>(samples.size()), sampleRate, label};
  }

  Wire& wire_;
  std::array<std::optional<Wire::Picture>, kMostLeases> out_;
  Wire::Side side_;
};

inline Wire::Picture codedPicture(uint32_t frameNumber, PixelFormat format = PixelFormat::Uyvy,
                                  int width = 640, int height = 360) {
  OwnedPicture picture(width, height, format);
  paintNeutralGrid(picture.picture());
  CodeStamper(width, height, format).stamp(picture.picture(), {77, frameNumber, 1000 + frameNumber});
  const IncomingFormat named{format == PixelFormat::Uyvy ? "UYVY" : "BGRA", format};
  return {std::move(picture), named, FrameLabel{5, frameNumber}, 0, {}};
}

}  // namespace whiteline::test
