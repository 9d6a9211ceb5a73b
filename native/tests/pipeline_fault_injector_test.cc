#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <optional>
#include <random>

#include "native/media/pipeline/fault_injector.h"
#include "native/tests/every_nth.h"
#include "native/tests/pipeline_fakes.h"
#include "native/tests/stamped_frame.h"

namespace whiteline::test {
namespace {

using Verb = Fault::Verb;

constexpr int64_t kMillisecondNs = 1'000'000;
constexpr PictureAnnouncement kAnnouncement{320, 180, true, 128, 128};

FrameLabel labelOf(uint64_t slot) {
  return {5, static_cast<uint32_t>(slot)};
}

/** What the real output does with the buffers: it reads them until the next call. */
class ReadingOutput final : public VideoOutput {
 public:
  explicit ReadingOutput(std::vector<std::vector<uint8_t>>& pictures) : pictures_(pictures) {}

  void submit(OutgoingFrame frame) override {
    EXPECT_TRUE(inFlightIsUntouched());
    inFlight_ = std::move(frame);
    pictures_.push_back(bytesOf(*inFlight_.frame));
  }
  void flush() override {
    EXPECT_TRUE(inFlightIsUntouched());
    inFlight_ = {};
  }
  void submitAudio(const AudioBlock&) override {}
  void sendMetadata(const std::string&) override {}
  std::optional<int> connections() override { return 0; }
  std::string name() const override { return {}; }
  ReceiverMessage captureMessage(int) override { return {}; }
  void answerTime(const TimeAnswer&) override {}

 private:
  bool inFlightIsUntouched() const {
    return inFlight_.frame == nullptr || bytesOf(*inFlight_.frame) == pictures_.back();
  }

  std::vector<std::vector<uint8_t>>& pictures_;
  OutgoingFrame inFlight_{};
};

/** What comes out of an injector into which frames are put one by one. */
class FaultInjectorTest : public testing::Test {
 protected:
  void put(uint64_t slot) { put(stampedFrame(slot)); }
  void put(FrameRef frame) {
    const uint64_t slot = frame->slot;
    injector.submit(
        {std::move(frame), {100, 1}, static_cast<int64_t>(slot) * 10, labelOf(slot), kAnnouncement});
  }
  void putAll(uint64_t first, uint64_t last) {
    for (uint64_t slot = first; slot <= last; ++slot) put(slot);
  }

  std::vector<uint64_t> slotsOut() const {
    std::vector<uint64_t> slots;
    for (const SentFrames::Sent& frame : sent.frames) slots.push_back(frame.slot);
    return slots;
  }
  const SentFrames::Sent& only(uint64_t slot) const {
    const auto isIt = [&](const SentFrames::Sent& frame) { return frame.slot == slot; };
    EXPECT_EQ(std::count_if(sent.frames.begin(), sent.frames.end(), isIt), 1);
    return *std::find_if(sent.frames.begin(), sent.frames.end(), isIt);
  }
  void expectGood(const SentFrames::Sent& frame) const {
    EXPECT_EQ(frame.reading.status, PictureStatus::Good) << frame.slot;
    EXPECT_EQ(frame.reading.code.frameNumber, static_cast<uint32_t>(frame.slot));
    EXPECT_EQ(frame.label, labelOf(frame.slot));
    EXPECT_EQ(frame.announcement, kAnnouncement);
    EXPECT_EQ(frame.mediaTimeNs, static_cast<int64_t>(frame.slot) * 10);
  }

  SentFrames sent;
  FaultInjector injector{std::make_unique<FakeOutput>(sent)};
};

TEST_F(FaultInjectorTest, withoutAFaultTheVeryBufferPasses) {
  injector.setFaults({{Verb::Tear, 8, 9}, {Verb::Miss, 1, 5}});
  for (const uint64_t slot : {1, 2, 7, 10}) {
    const auto frame = stampedFrame(slot);
    put(frame);
    expectGood(sent.frames.back());
    EXPECT_EQ(sent.frames.back().buffer, frame->picture().data);
  }
  injector.setFaults({});
  putAll(8, 9);
  expectGood(sent.frames[4]);
  expectGood(sent.frames[5]);
}

TEST_F(FaultInjectorTest, skipLeavesTheCallOut) {
  injector.setFaults({{Verb::Skip, 2, 3}});
  putAll(1, 5);
  EXPECT_EQ(slotsOut(), (std::vector<uint64_t>{1, 4, 5}));
}

TEST_F(FaultInjectorTest, repeatHandsTheSameFrameOverTwice) {
  injector.setFaults({{Verb::Repeat, 2, 2}});
  putAll(1, 3);
  EXPECT_EQ(slotsOut(), (std::vector<uint64_t>{1, 2, 2, 3}));
  EXPECT_EQ(sent.frames[1].buffer, sent.frames[2].buffer);
  for (const SentFrames::Sent& frame : sent.frames) expectGood(frame);
}

TEST_F(FaultInjectorTest, swapHoldsTheFirstBackUntilTheLastIsThrough) {
  injector.setFaults({{Verb::Swap, 2, 3}, {Verb::Swap, 10, 13}});
  putAll(1, 4);
  EXPECT_EQ(slotsOut(), (std::vector<uint64_t>{1, 3, 2, 4}));
  putAll(9, 14);
  EXPECT_EQ(slotsOut(), (std::vector<uint64_t>{1, 3, 2, 4, 9, 11, 12, 13, 10, 14}));
  for (const SentFrames::Sent& frame : sent.frames) expectGood(frame);
}

TEST_F(FaultInjectorTest, aHeldBackFrameDoesNotKeepTheSourcesBuffer) {
  injector.setFaults({{Verb::Swap, 2, 9}});
  const auto frame = stampedFrame(2);
  put(frame);
  EXPECT_EQ(frame.use_count(), 1);
  // As a source would: into the buffer that came back.
  std::memset(frame->picture().data, 0, 1000);
  put(9);
  expectGood(only(2));
}

TEST_F(FaultInjectorTest, whatWaitsForAFrameThatNeverComesGoesOutBehindTheNextOne) {
  injector.setFaults({{Verb::Swap, 2, 3}, {Verb::Swap, 11, 12}, {Verb::Skip, 12, 12}});
  put(2);
  EXPECT_TRUE(sent.frames.empty());
  put(5);
  put(6);
  EXPECT_EQ(slotsOut(), (std::vector<uint64_t>{5, 2, 6}));
  putAll(11, 14);
  EXPECT_EQ(slotsOut(), (std::vector<uint64_t>{5, 2, 6, 13, 11, 14}));
}

TEST_F(FaultInjectorTest, aSwapWhoseFirstFrameWasMissedIsNone) {
  injector.setFaults({{Verb::Swap, 2, 3}});
  put(1);
  put(3);
  put(4);
  EXPECT_EQ(slotsOut(), (std::vector<uint64_t>{1, 3, 4}));
}

TEST_F(FaultInjectorTest, aSwapOfAFrameWithItselfOrOneBeforeIsNone) {
  injector.setFaults({{Verb::Swap, 2, 2}, {Verb::Swap, 4, 3}});
  putAll(1, 6);
  EXPECT_EQ(slotsOut(), (std::vector<uint64_t>{1, 2, 3, 4, 5, 6}));
}

TEST_F(FaultInjectorTest, flushHandsOverWhatIsHeldBack) {
  injector.setFaults({{Verb::Swap, 2, 30}, {Verb::Swap, 3, 30}, {Verb::Repeat, 3, 3}});
  putAll(1, 4);
  injector.setFaults({});
  injector.flush();
  EXPECT_EQ(slotsOut(), (std::vector<uint64_t>{1, 4, 2, 3, 3}));
  injector.flush();
  EXPECT_EQ(sent.frames.size(), 5u);
}

TEST_F(FaultInjectorTest, whatIsHeldBackGoesOutInItsTimeThoughTheFaultsAreGone) {
  injector.setFaults({{Verb::Swap, 2, 4}});
  putAll(1, 2);
  injector.setFaults({});
  putAll(3, 5);
  EXPECT_EQ(slotsOut(), (std::vector<uint64_t>{1, 3, 4, 2, 5}));
}

TEST_F(FaultInjectorTest, overlappingSwapsEachWaitForTheirOwn) {
  injector.setFaults({{Verb::Swap, 1, 4}, {Verb::Swap, 2, 6}, {Verb::Swap, 4, 5}});
  putAll(1, 7);
  // 4 is held back itself when it comes, so 1 goes out behind the next one.
  EXPECT_EQ(slotsOut(), (std::vector<uint64_t>{3, 5, 1, 4, 6, 2, 7}));
  for (const SentFrames::Sent& frame : sent.frames) expectGood(frame);
}

TEST_F(FaultInjectorTest, tornIsWhoseStripsAreBothValidButDiffer) {
  injector.setFaults({{Verb::Tear, 20, 20}});
  const auto frame = stampedFrame(20);
  const std::vector<uint8_t> before = bytesOf(*frame);
  put(frame);
  const SentFrames::Sent& torn = only(20);
  EXPECT_EQ(torn.reading.status, PictureStatus::Torn);
  EXPECT_EQ(torn.reading.code.frameNumber, 20u);
  EXPECT_EQ(torn.reading.code.sourceId, kSourceId);
  EXPECT_EQ(torn.reading.health, 1);
  EXPECT_NE(torn.buffer, frame->picture().data);
  EXPECT_EQ(bytesOf(*frame), before) << "the frame is shared with other senders";
}

TEST_F(FaultInjectorTest, blackAndBothDamagesAreUndecodableEachWithItsClass) {
  injector.setFaults({{Verb::Black, 5, 6}, {Verb::DamageTop, 8, 8}, {Verb::DamageBottom, 8, 8}});
  putAll(4, 9);
  for (const uint64_t slot : {5, 6}) {
    EXPECT_EQ(only(slot).reading.status, PictureStatus::Undecodable);
    EXPECT_EQ(only(slot).pictureClass, PictureClass::Black);
    EXPECT_EQ(only(slot).label, labelOf(slot));
  }
  EXPECT_EQ(only(8).reading.status, PictureStatus::Undecodable);
  EXPECT_EQ(only(8).pictureClass, PictureClass::Other);
  for (const uint64_t slot : {4, 7, 9}) expectGood(only(slot));
}

TEST_F(FaultInjectorTest, mislabelNamesTheNextSlotAndLeavesThePictureAlone) {
  injector.setFaults({{Verb::Mislabel, 5, 5}});
  putAll(4, 6);
  EXPECT_EQ(only(5).label, labelOf(6));
  EXPECT_EQ(only(5).reading.code.frameNumber, 5u);
  for (const uint64_t slot : {4, 6}) expectGood(only(slot));
}

TEST_F(FaultInjectorTest, tornAndDamagedTellTheStripThatIsLeft) {
  injector.setFaults({{Verb::Tear, 5, 6}, {Verb::DamageTop, 5, 5}, {Verb::DamageBottom, 6, 6}});
  putAll(5, 6);
  EXPECT_EQ(sent.frames[0].reading.status, PictureStatus::Damaged);
  EXPECT_EQ(sent.frames[0].reading.code.frameNumber, 4u);
  EXPECT_EQ(sent.frames[1].reading.status, PictureStatus::Damaged);
  EXPECT_EQ(sent.frames[1].reading.code.frameNumber, 6u);
}

TEST_F(FaultInjectorTest, aPictureWithoutACodeHasNothingToTear) {
  injector.setFaults({{Verb::Tear, 3, 3}, {Verb::DamageTop, 4, 4}});
  for (const uint64_t slot : {3, 4}) {
    const auto frame = stampedFrame(slot);
    std::memset(frame->picture().data, 0x40, pictureBytes(320, 180, PixelFormat::Uyvy));
    put(frame);
    EXPECT_EQ(sent.frames.back().reading.status, PictureStatus::Undecodable);
  }
}

TEST_F(FaultInjectorTest, delayWaitsInsideTheCallAndDelaysAddUpOnQuietMachine) {
  injector.setFaults({{Verb::Delay, 2, 3, 30 * kMillisecondNs}, {Verb::Delay, 3, 3, 20 * kMillisecondNs}});
  const auto durationOf = [&](uint64_t slot) {
    const auto frame = stampedFrame(slot);
    const int64_t beginNs = monotonicNs();
    put(frame);
    return monotonicNs() - beginNs;
  };
  const int64_t freeNs = std::min({durationOf(1), durationOf(4), durationOf(5)});
  EXPECT_LT(freeNs, 20 * kMillisecondNs);
  EXPECT_GE(durationOf(2), 30 * kMillisecondNs);
  EXPECT_GE(durationOf(3), 50 * kMillisecondNs);
  EXPECT_EQ(slotsOut(), (std::vector<uint64_t>{1, 4, 5, 2, 3}));
}

TEST_F(FaultInjectorTest, faultsHoldAcrossTheWrapOfFrameNumbers) {
  constexpr uint64_t kWrap = 0x1'0000'0000;
  constexpr uint32_t kLast = 0xFFFFFFFF;
  injector.setFaults({{Verb::Swap, kLast - 1, 1}, {Verb::Skip, kLast, 0}, {Verb::Repeat, 2, 2}});
  putAll(kWrap - 3, kWrap + 3);
  EXPECT_EQ(slotsOut(),
            (std::vector<uint64_t>{kWrap - 3, kWrap + 1, kWrap - 2, kWrap + 2, kWrap + 2, kWrap + 3}));
}

TEST_F(FaultInjectorTest, soundAndMetadataPassWhateverTheFaults) {
  injector.setFaults({{Verb::Skip, 0, 0xFFFFFFFF}});
  const std::vector<float> samples{0.5F, -0.5F};
  put(1);
  injector.submitAudio({samples.data(), 2, 48000, 7, labelOf(1)});
  injector.sendMetadata("<out/>");
  sent.ask({4, 5});
  EXPECT_EQ(injector.captureMessage(0), (ReceiverMessage(TimeQuestion{4, 5})));
  EXPECT_EQ(injector.captureMessage(0), ReceiverMessage());
  injector.answerTime({4, 5, 6, 7});
  EXPECT_TRUE(sent.frames.empty());
  ASSERT_EQ(sent.sounds.size(), 1u);
  EXPECT_EQ(sent.sounds[0].samples, samples);
  EXPECT_EQ(sent.sounds[0].label, labelOf(1));
  EXPECT_EQ(sent.metadataFrames, std::vector<std::string>{"<out/>"});
  EXPECT_EQ(sent.answers, (std::vector<TimeAnswer>{{4, 5, 6, 7}}));
  EXPECT_EQ(injector.name(), "fake");
  EXPECT_EQ(injector.connections(), 1);
}

TEST(FaultInjector, whatTheOutputStillReadsIsNotWrittenTo) {
  std::vector<std::vector<uint8_t>> pictures;
  FaultInjector injector(std::make_unique<ReadingOutput>(pictures));
  injector.setFaults({{Verb::Tear, 0, 99},
                      {Verb::Black, 20, 29},
                      {Verb::Repeat, 30, 49},
                      {Verb::Swap, 50, 52},
                      {Verb::Swap, 51, 53},
                      {Verb::Swap, 54, 60}});
  for (uint64_t slot = 0; slot < 100; ++slot)
    injector.submit({stampedFrame(slot), {100, 1}, 0, labelOf(slot), kAnnouncement});
  injector.flush();
  EXPECT_EQ(pictures.size(), 120u);
}

/** What comes out, said by a plain model of what each verb is. */
struct Expected {
  uint64_t slot;
  PictureStatus status;
  uint32_t frameNumber;

  bool operator==(const Expected&) const = default;
};

std::vector<Expected> expectedOut(const std::vector<Fault>& faults, const std::vector<uint64_t>& slots) {
  const auto has = [&](Verb verb, uint64_t slot) {
    const int32_t number = static_cast<int32_t>(slot);
    return std::any_of(faults.begin(), faults.end(), [&](const Fault& fault) {
      return fault.verb == verb && number - static_cast<int32_t>(fault.first) >= 0 &&
             static_cast<int32_t>(fault.last) - number >= 0;
    });
  };
  const auto swapOf = [&](uint64_t slot) -> const Fault* {
    const Fault* found = nullptr;
    for (const Fault& fault : faults) {
      if (fault.verb == Verb::Swap && fault.first == static_cast<uint32_t>(slot)) found = &fault;
    }
    return found;
  };
  struct Waiting {
    uint64_t slot;
    uint32_t last;
  };
  std::vector<Expected> out;
  std::vector<Waiting> waiting;
  const auto goesOut = [&](uint64_t slot) {
    const auto number = static_cast<uint32_t>(slot);
    const uint32_t bottomNumber = has(Verb::Tear, slot) ? number - 1 : number;
    const bool topValid = !has(Verb::DamageTop, slot), bottomValid = !has(Verb::DamageBottom, slot);
    Expected picture{slot, PictureStatus::Good, number};
    if (has(Verb::Black, slot) || (!topValid && !bottomValid)) {
      picture = {slot, PictureStatus::Undecodable, 0};
    } else if (!topValid) {
      picture = {slot, PictureStatus::Damaged, bottomNumber};
    } else if (!bottomValid) {
      picture.status = PictureStatus::Damaged;
    } else if (bottomNumber != number) {
      picture.status = PictureStatus::Torn;
    }
    out.insert(out.end(), has(Verb::Repeat, slot) ? 2 : 1, picture);
  };
  for (const uint64_t slot : slots) {
    if (has(Verb::Skip, slot)) continue;
    if (const Fault* swap = swapOf(slot)) {
      waiting.push_back({slot, swap->last});
      continue;
    }
    goesOut(slot);
    for (const Waiting& held : waiting) {
      if (static_cast<int32_t>(static_cast<uint32_t>(slot) - held.last) >= 0) goesOut(held.slot);
    }
    std::erase_if(waiting, [&](const Waiting& held) {
      return static_cast<int32_t>(static_cast<uint32_t>(slot) - held.last) >= 0;
    });
  }
  for (const Waiting& held : waiting) goesOut(held.slot);
  return out;
}

TEST(FaultInjector, anyMixOfFaultsDoesWhatItsVerbsSay) {
  const uint32_t seed = std::random_device{}();
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937 random(seed);
  constexpr uint32_t kFrames = 60;
  const std::vector<Verb> verbs{Verb::Miss,      Verb::Skip,         Verb::Repeat, Verb::Swap, Verb::Tear,
                                Verb::DamageTop, Verb::DamageBottom, Verb::Black,  Verb::Delay};
  for (size_t round = 0; round < 150; round += kEveryNth) {
    const uint64_t begin = round % 3 == 0 ? 0xFFFFFFFF - kFrames / 2 : random() % 100'000;
    std::vector<Fault> faults(random() % 16);
    for (Fault& fault : faults) {
      fault.verb = verbs[random() % verbs.size()];
      const uint32_t first = random() % kFrames;
      const uint32_t length = fault.verb == Verb::Swap ? 1 + random() % 6 : random() % 4;
      fault.first = static_cast<uint32_t>(begin) + first;
      fault.last = fault.first + length;
      fault.delayNs = fault.verb == Verb::Delay ? 1000 : 0;
    }
    std::vector<uint64_t> slots;
    for (uint64_t slot = begin; slot < begin + kFrames; ++slot) {
      // Some never come to the injector: they were missed.
      if (random() % 20 != 0) slots.push_back(slot);
    }
    SentFrames sent;
    FaultInjector injector(std::make_unique<FakeOutput>(sent));
    injector.setFaults(faults);
    for (const uint64_t slot : slots)
      injector.submit({stampedFrame(slot), {100, 1}, 0, labelOf(slot), kAnnouncement});
    injector.flush();
    std::vector<Expected> out;
    for (const SentFrames::Sent& frame : sent.frames) {
      out.push_back({frame.slot, frame.reading.status, frame.reading.code.frameNumber});
    }
    ASSERT_EQ(out, expectedOut(faults, slots)) << "round " << round;
  }
}

}  // namespace
}  // namespace whiteline::test
