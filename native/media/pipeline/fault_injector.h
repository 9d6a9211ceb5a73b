#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "native/media/framecode/frame_code.h"
#include "native/media/pipeline/faults.h"
#include "native/media/pipeline/frame_spoiler.h"
#include "native/media/pipeline/video_output.h"

namespace whiteline {

/**
 * Puts faults on purpose between a sender and its output, after the submit record: what it leaves out,
 * doubles, spoils or holds back was submitted. Frames without a fault pass through untouched; a spoilt
 * picture is a copy, since the frame is shared with other senders. Sound and metadata are left alone.
 *
 * Several faults of one frame come in this order: the delays, one after the other; skip; black, or else what
 * spoils the picture, in the order of the verbs (both damages leave no code to read); mislabel; repeat; swap,
 * where the first frame, spoilt and repeated as it is, waits. `setFaults` may be called from any thread; what
 * it replaces has no effect on frames that are held back already.
 */
class FaultInjector : public VideoOutput {
 public:
  explicit FaultInjector(std::unique_ptr<VideoOutput> output);

  /**
   * Replaces the faults to come; misses are not the injector's and are ignored, as is a swap whose last
   * frame is not after its first.
   */
  void setFaults(std::vector<Fault> faults);

  void submit(OutgoingFrame frame) override;
  /** Hands over what is still held back. */
  void flush() override;
  void submitAudio(const AudioBlock& block) override;
  void sendMetadata(const std::string& text) override;
  std::optional<int> connections() override;
  std::string name() const override;
  ReceiverMessage captureMessage(int timeoutMs) override;
  void answerTime(const TimeAnswer& answer) override;

 private:
  /** What is to be done to one frame. */
  struct Treatment {
    int64_t delayNs = 0;
    bool skip = false;
    bool repeat = false;
    bool mislabel = false;
    /** Bits of the verbs that spoil the picture. */
    uint32_t spoiling = 0;
    /** The frame after which a swapped one goes out. */
    std::optional<uint32_t> behind;

    void spoil(Fault::Verb verb) { spoiling |= bitOf(verb); }
    bool spoils(Fault::Verb verb) const { return (spoiling & bitOf(verb)) != 0; }
    /** Spoilt; or held back, for which the source's pool has no frame to spare. */
    bool needsCopy() const { return spoiling != 0 || behind; }

   private:
    static uint32_t bitOf(Fault::Verb verb) { return uint32_t{1} << static_cast<unsigned>(verb); }
  };
  struct HeldBack {
    OutgoingFrame frame;
    uint32_t behind;
    int times;
  };

  Treatment treatmentOf(uint32_t frameNumber);
  void spoil(OutgoingFrame& frame, const Treatment& treatment);
  FrameSpoiler& spoilerFor(const Picture& picture);
  void handOver(OutgoingFrame frame, int times);
  /** Hands over what waited for this frame, or for one before it that never came. */
  void handOverHeldBack(uint32_t frameNumber);

  const std::unique_ptr<VideoOutput> output_;
  std::mutex mutex_;
  std::vector<Fault> faults_;
  /** Whether there are faults: without any no frame waits for the mutex. */
  std::atomic<bool> armed_{false};

  // The sender's thread only.
  std::optional<FrameSpoiler> spoiler_;
  /** The newest that was handed over, as it came. The output keeps it, or its copy, just as long. */
  FrameRef previous_;
  /** In the order in which they came. */
  std::vector<HeldBack> heldBack_;
};

}  // namespace whiteline
