#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "native/base/pacing/clock.h"
#include "native/media/framecode/code_reader.h"
#include "native/media/pattern/picture_class.h"
#include "native/media/pipeline/sender_stream.h"
#include "native/media/pipeline/source.h"
#include "native/media/pipeline/video_output.h"

namespace whiteline::test {

/** What the fake outputs of one test have seen; outlives them. */
struct SentFrames {
  struct Sent {
    uint64_t slot;
    const uint8_t* buffer;
    CodeReading reading;
    FrameLabel label;
    PictureAnnouncement announcement;
    int64_t mediaTimeNs;
    PictureClass pictureClass;
  };
  struct Sound {
    std::vector<float> samples;
    int sampleRate;
    FrameLabel label;
    int64_t mediaTimeNs;
    /** How many frames went out before. */
    size_t framesBefore;
  };

  std::vector<Sent> all() const {
    const std::lock_guard lock(mutex);
    return frames;
  }
  std::vector<Sound> allSounds() const {
    const std::lock_guard lock(mutex);
    return sounds;
  }
  /** A receiver asks the sender. */
  void ask(const TimeQuestion& question) {
    const std::lock_guard lock(mutex);
    questions.push_back(question);
    asked.notify_one();
  }
  std::vector<TimeAnswer> allAnswers() const {
    const std::lock_guard lock(mutex);
    return answers;
  }

  mutable std::mutex mutex;
  std::vector<Sent> frames;
  std::vector<Sound> sounds;
  std::vector<std::string> metadataFrames;
  std::vector<TimeAnswer> answers;
  std::deque<TimeQuestion> questions;
  std::condition_variable asked;
};

/** Stands in for the SDK: keeps a frame until the next call, as an asynchronous send does, and can be made to
 * block. */
class FakeOutput : public VideoOutput {
 public:
  using BeforeCall = std::function<void(uint64_t slot)>;

  explicit FakeOutput(
      SentFrames& sent, BeforeCall beforeCall = [](uint64_t) {})
      : sent_(sent), beforeCall_(std::move(beforeCall)) {}

  void submit(OutgoingFrame frame) override {
    beforeCall_(frame.frame->slot);
    const Picture& picture = frame.frame->picture();
    const CodeReader reader(picture.width, picture.height, picture.format);
    {
      const std::lock_guard lock(sent_.mutex);
      sent_.frames.push_back({frame.frame->slot, picture.data, reader.read(picture), frame.label,
                              frame.announcement, frame.mediaTimeNs, classifier_.classify(picture)});
    }
    inFlight_ = std::move(frame);
  }
  void flush() override { inFlight_ = {}; }
  void submitAudio(const AudioBlock& block) override {
    const std::lock_guard lock(sent_.mutex);
    sent_.sounds.push_back({{block.samples, block.samples + block.count},
                            block.sampleRate,
                            block.label,
                            block.mediaTimeNs,
                            sent_.frames.size()});
  }
  void sendMetadata(const std::string& text) override {
    const std::lock_guard lock(sent_.mutex);
    sent_.metadataFrames.push_back(text);
  }
  std::optional<int> connections() override { return 1; }
  std::string name() const override { return "fake"; }
  ReceiverMessage captureMessage(int timeoutMs) override {
    std::unique_lock lock(sent_.mutex);
    const auto patience = std::chrono::milliseconds(timeoutMs);
    if (!sent_.asked.wait_for(lock, patience, [&] { return !sent_.questions.empty(); })) return {};
    const ReceiverMessage question = sent_.questions.front();
    sent_.questions.pop_front();
    return question;
  }
  void answerTime(const TimeAnswer& answer) override {
    const std::lock_guard lock(sent_.mutex);
    sent_.answers.push_back(answer);
  }

 private:
  SentFrames& sent_;
  BeforeCall beforeCall_;
  PictureClassifier classifier_;
  OutgoingFrame inFlight_{};
};

template <class Record>
std::vector<Record> drained(RecordRing<Record>& ring) {
  std::vector<Record> records;
  ring.drain([&](const Record& record) { records.push_back(record); });
  return records;
}

/** How often each frame number is settled, by a submit or by a miss. */
inline std::map<uint32_t, int> settledCounts(const std::vector<SubmitRecord>& submits,
                                             const std::vector<MissRecord>& misses) {
  std::map<uint32_t, int> counts;
  for (const SubmitRecord& submit : submits) ++counts[submit.frameNumber];
  for (const MissRecord& miss : misses) ++counts[miss.frameNumber];
  return counts;
}

/** Waits for something that another thread does; false after `timeout`. */
inline bool eventually(const std::function<bool()>& condition,
                       std::chrono::milliseconds timeout = std::chrono::seconds(20)) {
  const auto end = std::chrono::steady_clock::now() + timeout;
  while (!condition()) {
    if (std::chrono::steady_clock::now() > end) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  return true;
}

inline SourceOptions smallSource(SourceKind kind = SourceKind::WhiteLine, uint32_t framesPerSecond = 100) {
  return {kind, 320, 180, {framesPerSecond, 1}, PixelFormat::Uyvy, 0, {}, {}, {}};
}

}  // namespace whiteline::test
