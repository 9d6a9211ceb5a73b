#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <set>

#include "native/tests/pipeline_fakes.h"

namespace whiteline::test {
namespace {

/** A gate that holds an output's call until it is opened. */
class Gate {
 public:
  void pass() {
    std::unique_lock lock(mutex_);
    waiting_ = true;
    changed_.notify_all();
    changed_.wait(lock, [this] { return open_; });
  }
  void awaitSomebody() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return waiting_; });
  }
  void open() {
    const std::lock_guard lock(mutex_);
    open_ = true;
    changed_.notify_all();
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  bool waiting_ = false;
  bool open_ = false;
};

bool hasReleased(Source& source, std::vector<SourceRecord>& records, size_t count) {
  source.records().drain([&](const SourceRecord& record) { records.push_back(record); });
  return records.size() >= count;
}

/** How many slots after this one were released: what the source skipped on a busy machine, no sender misses.
 */
size_t releasedAfter(Source& source, std::vector<SourceRecord>& records, uint64_t slot) {
  source.records().drain([&](const SourceRecord& record) { records.push_back(record); });
  return static_cast<size_t>(std::count_if(records.begin(), records.end(), [&](const SourceRecord& record) {
    return record.frameNumber > slot && record.state == SlotState::Released;
  }));
}

/** A source whose first slot comes after the gate is opened: what is set before holds for every slot. */
std::shared_ptr<Source> sourceBehind(Gate& gate, const SourceOptions& options = smallSource()) {
  return std::make_shared<Source>(options, [&gate](const FramePool& pool, MovieHealth&) {
    gate.pass();
    return std::make_unique<GridPictures>(pool);
  });
}

TEST(SenderStream, everySlotIsSettledExactlyOnce) {
  auto source = std::make_shared<Source>(smallSource(SourceKind::WhiteLine, 200));
  SentFrames sent;
  SenderStream sender(source, std::make_unique<FakeOutput>(sent), 3);
  std::vector<SourceRecord> slots;
  // A slot is recorded a moment before it is offered: of these, a hundred were offered.
  ASSERT_TRUE(eventually([&] { return hasReleased(*source, slots, 101); }));
  sender.close();
  source->close();

  const std::vector<SubmitRecord> submits = drained(sender.submits());
  const std::vector<MissRecord> misses = drained(sender.misses());
  const auto counts = settledCounts(submits, misses);
  ASSERT_FALSE(counts.empty());
  uint32_t expected = static_cast<uint32_t>(sender.firstSlot());
  for (const auto& [frameNumber, count] : counts) {
    EXPECT_EQ(frameNumber, expected++);
    EXPECT_EQ(count, 1) << frameNumber;
  }
  EXPECT_GE(counts.size(), 100 - sender.firstSlot());

  const std::vector<SentFrames::Sent> frames = sent.all();
  ASSERT_EQ(frames.size(), submits.size());
  for (size_t index = 0; index < frames.size(); ++index) {
    EXPECT_EQ(frames[index].slot, submits[index].frameNumber);
    EXPECT_EQ(frames[index].reading.status, PictureStatus::Good);
    EXPECT_EQ(frames[index].reading.code.frameNumber, submits[index].frameNumber);
    EXPECT_EQ(frames[index].reading.code.sourceId, source->sourceId());
    EXPECT_EQ(frames[index].label, (FrameLabel{3, submits[index].frameNumber}));
    EXPECT_EQ(frames[index].announcement, (PictureAnnouncement{320, 180, true, 128, 128}));
    EXPECT_EQ(frames[index].mediaTimeNs,
              static_cast<int64_t>(frames[index].reading.code.releaseTimeUs) * 1000);
    EXPECT_LE(static_cast<int64_t>(frames[index].reading.code.releaseTimeUs), submits[index].beginNs / 1000);
  }
}

TEST(SenderStream, aBlockedCallCostsItsOwnSlotsOnlyAndNothingIsCaughtUp) {
  auto source = std::make_shared<Source>(smallSource());
  SentFrames sentFree, sentBlocked;
  Gate gate;
  std::atomic<uint64_t> blockedSlot = 0;
  SenderStream free(source, std::make_unique<FakeOutput>(sentFree), 1);
  SenderStream blocked(source,
                       std::make_unique<FakeOutput>(sentBlocked,
                                                    [&](uint64_t slot) {
                                                      if (slot < 5 || blockedSlot != 0) return;
                                                      blockedSlot = slot;
                                                      gate.pass();
                                                    }),
                       2);
  gate.awaitSomebody();
  std::vector<SourceRecord> slots;
  ASSERT_TRUE(eventually([&] { return releasedAfter(*source, slots, blockedSlot) >= 20; }));
  // It may be on offer still; all before it are missed.
  const uint32_t heldUntil = slots.back().frameNumber;
  gate.open();
  const auto hasGoneOn = [&] {
    const std::vector<SentFrames::Sent> frames = sentBlocked.all();
    return !frames.empty() && frames.back().slot > blockedSlot;
  };
  ASSERT_TRUE(eventually([&] { return releasedAfter(*source, slots, heldUntil) >= 20 && hasGoneOn(); }));
  blocked.close();
  free.close();
  source->close();

  const std::vector<SubmitRecord> submits = drained(blocked.submits());
  const std::vector<MissRecord> misses = drained(blocked.misses());
  for (const auto& [frameNumber, count] : settledCounts(submits, misses)) EXPECT_EQ(count, 1) << frameNumber;
  size_t blockedMisses = 0;
  for (const MissRecord& miss : misses) {
    if (miss.frameNumber <= blockedSlot || miss.frameNumber >= heldUntil) continue;
    EXPECT_TRUE(miss.cause == MissCause::SendBlocked || miss.cause == MissCause::SourceSkipped);
    if (miss.cause == MissCause::SendBlocked) ++blockedMisses;
  }
  EXPECT_GE(blockedMisses, 19u);
  const auto blockedCall = std::find_if(submits.begin(), submits.end(), [&](const SubmitRecord& submit) {
    return submit.frameNumber > blockedSlot;
  });
  ASSERT_NE(blockedCall, submits.end());
  EXPECT_GE(blockedCall->frameNumber, heldUntil);
  EXPECT_GT(blockedCall->previousCallNs, 100'000'000);
  EXPECT_GT(sentFree.all().size(), sentBlocked.all().size());
}

/** Its call that sends metadata does not return before the gate is opened. */
class HoldingMetadata final : public FakeOutput {
 public:
  HoldingMetadata(SentFrames& sent, Gate& gate) : FakeOutput(sent), gate_(gate) {}
  void sendMetadata(const std::string& text) override {
    gate_.pass();
    FakeOutput::sendMetadata(text);
  }

 private:
  Gate& gate_;
};

TEST(SenderStream, slotsThatPassWhileMetadataIsSentAreBlamedOnThatCall) {
  auto source = std::make_shared<Source>(smallSource());
  SentFrames sent;
  Gate gate;
  SenderStream sender(source, std::make_unique<HoldingMetadata>(sent, gate), 1);
  std::vector<SourceRecord> slots;
  ASSERT_TRUE(eventually([&] { return hasReleased(*source, slots, 10); }));
  sender.sendMetadata("<hello/>");
  gate.awaitSomebody();
  // All after the newest of these are offered while the call is held.
  releasedAfter(*source, slots, 0);
  const uint32_t heldFrom = slots.back().frameNumber;
  ASSERT_TRUE(eventually([&] { return releasedAfter(*source, slots, heldFrom) >= 20; }));
  gate.open();
  ASSERT_TRUE(eventually([&] { return releasedAfter(*source, slots, heldFrom) >= 40; }));
  sender.close();
  source->close();

  size_t blocked = 0;
  for (const MissRecord& miss : drained(sender.misses())) blocked += miss.cause == MissCause::SendBlocked;
  // The newest of them may have been on offer still.
  EXPECT_GE(blocked, 19u);
  // The next frame says how long it was held, at 100 slots a second.
  int64_t longestNs = 0;
  for (const SubmitRecord& submit : drained(sender.submits()))
    longestNs = std::max(longestNs, submit.previousCallNs);
  EXPECT_GE(longestNs, 190'000'000);
}

TEST(SenderStream, metadataThatWaitsTooLongIsDroppedAndCounted) {
  auto source = std::make_shared<Source>(smallSource());
  SentFrames sent;
  Gate gate;
  SenderStream sender(source, std::make_unique<HoldingMetadata>(sent, gate), 1);
  sender.sendMetadata("<first/>");
  gate.awaitSomebody();
  for (int number = 0; number < 300; ++number)
    sender.sendMetadata("<m n=\"" + std::to_string(number) + "\"/>");
  EXPECT_EQ(sender.metadataDropped(), 44u);
  gate.open();
  ASSERT_TRUE(eventually([&] {
    const std::lock_guard lock(sent.mutex);
    return sent.metadataFrames.size() == 257;
  }));
  sender.close();
  EXPECT_EQ(sent.metadataFrames[1], "<m n=\"44\"/>");
  EXPECT_EQ(sent.metadataFrames.back(), "<m n=\"299\"/>");
  source->close();
}

TEST(SenderStream, injectedFaultsGiveExactCounts) {
  Gate beginning;
  auto source = sourceBehind(beginning);
  SentFrames sent;
  SenderStream sender(source, std::make_unique<FakeOutput>(sent), 1);
  sender.setFaults({{Fault::Verb::Miss, 20, 24}, {Fault::Verb::Skip, 30, 34}});
  beginning.open();
  std::vector<SourceRecord> slots;
  ASSERT_TRUE(eventually([&] { return hasReleased(*source, slots, 50); }));
  sender.close();
  source->close();

  std::set<uint32_t> missed, submitted;
  for (const MissRecord& miss : drained(sender.misses())) {
    missed.insert(miss.frameNumber);
    const bool injected = miss.frameNumber >= 20 && miss.frameNumber <= 24;
    // A slot that the source itself had to skip is not offered and so not injected.
    EXPECT_TRUE(miss.cause == MissCause::SourceSkipped || injected == (miss.cause == MissCause::Injected));
  }
  for (const SubmitRecord& submit : drained(sender.submits())) submitted.insert(submit.frameNumber);
  std::set<uint32_t> sentNumbers;
  for (const SentFrames::Sent& frame : sent.all()) sentNumbers.insert(static_cast<uint32_t>(frame.slot));
  for (uint32_t number = 20; number <= 24; ++number) EXPECT_TRUE(missed.count(number)) << number;
  for (uint32_t number = 30; number <= 34; ++number) EXPECT_FALSE(sentNumbers.count(number)) << number;
  std::set<uint32_t> expected = submitted;
  for (uint32_t number = 30; number <= 34; ++number) expected.erase(number);
  EXPECT_EQ(sentNumbers, expected);
}

TEST(SenderStream, aDelayedCallCostsTheSlotsWhoseTimePassesMeanwhileOnQuietMachine) {
  Gate beginning;
  auto source = sourceBehind(beginning);
  SentFrames sent;
  SenderStream sender(source, std::make_unique<FakeOutput>(sent), 1);
  constexpr int64_t kDelayNs = 150'000'000;
  // The first of these that is submitted: a busy machine may skip a slot.
  constexpr uint32_t kFirstDelayed = 30;
  constexpr uint32_t kLastDelayed = 39;
  sender.setFaults({{Fault::Verb::Delay, kFirstDelayed, kLastDelayed, kDelayNs}});
  beginning.open();
  std::vector<SourceRecord> slots;
  ASSERT_TRUE(eventually([&] { return hasReleased(*source, slots, 70); }));
  sender.close();
  source->close();

  const std::vector<SubmitRecord> submits = drained(sender.submits());
  const auto delayed = std::find_if(submits.begin(), submits.end(), [](const SubmitRecord& submit) {
    return submit.frameNumber >= kFirstDelayed;
  });
  ASSERT_NE(delayed, submits.end());
  ASSERT_LE(delayed->frameNumber, kLastDelayed);
  const auto next = delayed + 1;
  ASSERT_NE(next, submits.end());
  EXPECT_GE(next->previousCallNs, kDelayNs);
  EXPECT_GE(next->beginNs - delayed->beginNs, kDelayNs);
  // Every slot whose time was over before the call returned is missed, and the call is to blame.
  size_t blocked = 0;
  for (const MissRecord& miss : drained(sender.misses())) {
    if (miss.frameNumber <= delayed->frameNumber || miss.frameNumber >= next->frameNumber) continue;
    EXPECT_TRUE(miss.cause == MissCause::SendBlocked || miss.cause == MissCause::SourceSkipped);
    ++blocked;
  }
  EXPECT_EQ(blocked, next->frameNumber - delayed->frameNumber - 1);
  EXPECT_GE(blocked, 13u);
  const std::vector<SentFrames::Sent> frames = sent.all();
  EXPECT_EQ(frames.size(), submits.size());
}

/** Slots 20 to 42 of every 40, until a machine that misses some has sent a picture of each kind. */
struct SpoiltSlots {
  std::vector<Fault> faults{{Fault::Verb::Repeat, 20, 20}};
  std::map<uint32_t, PictureStatus> statuses;

  SpoiltSlots() {
    for (uint32_t first = 20; first < 40'000; first += 40) {
      faults.push_back({Fault::Verb::Swap, first + 5, first + 7});
      spoil(Fault::Verb::Tear, PictureStatus::Torn, first + 10, first + 11);
      spoil(Fault::Verb::DamageTop, PictureStatus::Damaged, first + 15, first + 15);
      spoil(Fault::Verb::Black, PictureStatus::Undecodable, first + 20, first + 22);
    }
  }
  PictureStatus of(uint32_t slot) const {
    const auto found = statuses.find(slot);
    return found == statuses.end() ? PictureStatus::Good : found->second;
  }

 private:
  void spoil(Fault::Verb verb, PictureStatus status, uint32_t first, uint32_t last) {
    faults.push_back({verb, first, last});
    for (uint32_t slot = first; slot <= last; ++slot) statuses[slot] = status;
  }
};

TEST(SenderStream, spoiltAndHeldBackFramesWereSubmitted) {
  Gate beginning;
  auto source = sourceBehind(beginning);
  SentFrames sent, sentUntouched;
  SenderStream sender(source, std::make_unique<FakeOutput>(sent), 1);
  SenderStream untouched(source, std::make_unique<FakeOutput>(sentUntouched), 2);
  const SpoiltSlots spoilt;
  sender.setFaults(spoilt.faults);
  beginning.open();
  ASSERT_TRUE(eventually([&] {
    std::set<PictureStatus> seen;
    for (const SentFrames::Sent& frame : sent.all()) seen.insert(frame.reading.status);
    return seen.size() == 4;
  }));
  const auto newest = static_cast<uint32_t>(sent.all().back().slot);
  sender.setFaults({{Fault::Verb::Swap, newest + 5, 100'000}});
  ASSERT_TRUE(eventually([&] { return sent.all().back().slot > newest + 20; }));
  sender.close();
  untouched.close();
  source->close();

  std::multiset<uint64_t> submitted, out;
  for (const SubmitRecord& submit : drained(sender.submits())) submitted.insert(submit.frameNumber);
  std::map<uint64_t, SentFrames::Sent> bySlot;
  for (const SentFrames::Sent& frame : sent.all()) {
    out.insert(frame.slot);
    bySlot.insert({frame.slot, frame});
  }
  // What was held back went out at the end, at the latest.
  if (submitted.count(20) == 1) submitted.insert(20);
  EXPECT_EQ(out, submitted);
  for (const auto& [slot, frame] : bySlot) {
    // From the newest on, the faults were replaced at some slot.
    const bool mayBeReplaced = slot >= newest && frame.reading.status == PictureStatus::Good;
    EXPECT_EQ(frame.reading.status,
              mayBeReplaced ? PictureStatus::Good : spoilt.of(static_cast<uint32_t>(slot)))
        << slot;
    EXPECT_EQ(frame.label, (FrameLabel{1, static_cast<uint32_t>(slot)}));
    EXPECT_EQ(frame.announcement, (PictureAnnouncement{320, 180, true, 128, 128}));
  }
  for (const SentFrames::Sent& frame : sentUntouched.all()) {
    EXPECT_EQ(frame.reading.status, PictureStatus::Good) << frame.slot;
  }
}

TEST(SenderStream, eachSubmittedFrameHasItsSoundWhateverTheFaults) {
  using Verb = Fault::Verb;
  SourceOptions options = smallSource();
  options.rate = {100'000, 1001};
  Gate beginning;
  auto source = sourceBehind(beginning, options);
  SentFrames sent;
  SenderStream sender(source, std::make_unique<FakeOutput>(sent), 9, {.audio = true});
  sender.setFaults({{Verb::Miss, 10, 12},
                    {Verb::Skip, 20, 22},
                    {Verb::Repeat, 24, 24},
                    {Verb::Black, 26, 26},
                    {Verb::Swap, 30, 33}});
  beginning.open();
  const auto isHeard = [](const SentFrames::Sound& sound) { return sound.samples[1] != 0; };
  // A burst begins each hundred slots, of which a busy machine skips some.
  const auto countHeard = [&] {
    const std::vector<SentFrames::Sound> soFar = sent.allSounds();
    return std::count_if(soFar.begin(), soFar.end(), isHeard);
  };
  std::vector<SourceRecord> slots;
  ASSERT_TRUE(eventually([&] { return hasReleased(*source, slots, 120) && countHeard() >= 3; }));
  sender.close();
  source->close();

  const std::vector<SubmitRecord> submits = drained(sender.submits());
  const std::vector<SentFrames::Sound> sounds = sent.allSounds();
  ASSERT_EQ(sounds.size(), submits.size());
  std::map<uint64_t, int64_t> mediaTimesNs;
  for (const SentFrames::Sent& frame : sent.all()) mediaTimesNs[frame.slot] = frame.mediaTimeNs;
  Tone tone(options.rate);
  for (size_t index = 0; index < sounds.size(); ++index) {
    const uint32_t slot = submits[index].frameNumber;
    EXPECT_EQ(sounds[index].label, (FrameLabel{9, slot}));
    EXPECT_EQ(sounds[index].sampleRate, 48'000);
    const std::span<const float> expected = tone.samplesOf(slot);
    EXPECT_EQ(sounds[index].samples, std::vector<float>(expected.begin(), expected.end())) << slot;
    if (mediaTimesNs.count(slot)) {
      EXPECT_EQ(sounds[index].mediaTimeNs, mediaTimesNs[slot]);
    }
    if (slot < 10) {
      EXPECT_EQ(sounds[index].framesBefore, index + 1) << "behind its picture";
    }
  }
}

TEST(SenderStream, withoutAudioNothingIsHeard) {
  auto source = std::make_shared<Source>(smallSource());
  SentFrames sent;
  SenderStream sender(source, std::make_unique<FakeOutput>(sent), 9);
  ASSERT_TRUE(eventually([&] { return sent.all().size() >= 5; }));
  sender.close();
  EXPECT_TRUE(sent.allSounds().empty());
}

TEST(SenderStream, answersWhoAsksForTheTime) {
  SourceOptions options = smallSource();
  options.wallOffsetUs = 1'700'000'000'000'000;
  auto source = std::make_shared<Source>(options);
  SentFrames sent;
  SenderStream sender(source, std::make_unique<FakeOutput>(sent), 1, {.answerTime = true});
  const auto nowUs = [&] { return monotonicNs() / 1000 + options.wallOffsetUs; };
  for (uint64_t id = 1; id <= 3; ++id) {
    const int64_t askedUs = static_cast<int64_t>(id) * 1'000'000;
    const int64_t beforeUs = nowUs();
    sent.ask({id, askedUs});
    ASSERT_TRUE(eventually([&] { return sent.allAnswers().size() == id; }));
    const int64_t afterUs = nowUs();
    const TimeAnswer answer = sent.allAnswers().back();
    EXPECT_EQ(answer.id, id);
    EXPECT_EQ(answer.askedUs, askedUs);
    EXPECT_GE(answer.heardUs, beforeUs);
    EXPECT_GE(answer.repliedUs, answer.heardUs);
    EXPECT_LE(answer.repliedUs, afterUs);
  }
  sender.close();
  sender.close();
}

TEST(SenderStream, withoutAnswersNothingIsTakenFromTheReceivers) {
  auto source = std::make_shared<Source>(smallSource());
  SentFrames sent;
  SenderStream sender(source, std::make_unique<FakeOutput>(sent), 1);
  sent.ask({1, 1});
  ASSERT_TRUE(eventually([&] { return sent.all().size() >= 10; }));
  sender.close();
  EXPECT_EQ(sent.questions.size(), 1u);
  EXPECT_TRUE(sent.answers.empty());
  EXPECT_EQ(sender.arrivals(), std::nullopt);
}

TEST(SenderStream, allSendersOfASourceShareOneBuffer) {
  auto source = std::make_shared<Source>(smallSource());
  SentFrames sentFirst, sentSecond;
  SenderStream first(source, std::make_unique<FakeOutput>(sentFirst), 1);
  SenderStream second(source, std::make_unique<FakeOutput>(sentSecond), 2);
  const auto sharedSlots = [&] {
    std::map<uint64_t, const uint8_t*> buffers;
    for (const SentFrames::Sent& frame : sentFirst.all()) buffers[frame.slot] = frame.buffer;
    size_t shared = 0;
    for (const SentFrames::Sent& frame : sentSecond.all()) {
      const auto other = buffers.find(frame.slot);
      if (other == buffers.end()) continue;
      EXPECT_EQ(other->second, frame.buffer);
      ++shared;
    }
    return shared;
  };
  EXPECT_TRUE(eventually([&] { return sharedSlots() > 10; }));
  first.close();
  second.close();
}

TEST(SenderStream, startsWithTheNextSlotAndMetadataGoesOut) {
  auto source = std::make_shared<Source>(smallSource());
  std::vector<SourceRecord> slots;
  // The newest of them may be about to be offered: ten have been.
  ASSERT_TRUE(eventually([&] { return hasReleased(*source, slots, 11); }));
  SentFrames sent;
  SenderStream sender(source, std::make_unique<FakeOutput>(sent), 1);
  EXPECT_GE(sender.firstSlot(), 10u);
  sender.sendMetadata("<hello/>");
  ASSERT_TRUE(eventually([&] {
    const std::lock_guard lock(sent.mutex);
    return sent.metadataFrames.size() == 1 && !sent.frames.empty();
  }));
  EXPECT_GE(sent.all().front().slot, sender.firstSlot());
  EXPECT_EQ(sent.metadataFrames.front(), "<hello/>");
  EXPECT_TRUE(eventually([&] { return sender.connections() == 1; }));
}

TEST(SenderStream, outlivesItsSourceAndClosesTwice) {
  auto source = std::make_shared<Source>(smallSource());
  SentFrames sent;
  SenderStream sender(source, std::make_unique<FakeOutput>(sent), 1);
  ASSERT_TRUE(eventually([&] { return sent.all().size() >= 5; }));
  source->close();
  const std::vector<SourceRecord> slots = drained(source->records());
  const std::vector<MissRecord> misses = drained(sender.misses());
  const size_t submitted = slots.size() - sender.firstSlot() - misses.size();
  // The last one may be on its way out still.
  ASSERT_TRUE(eventually([&] { return sent.all().size() == submitted; }));
  std::this_thread::sleep_for(std::chrono::milliseconds(100));
  EXPECT_EQ(sent.all().size(), submitted);
  const auto counts = settledCounts(drained(sender.submits()), misses);
  EXPECT_EQ(counts.size() + sender.firstSlot(), slots.size());
  source.reset();
  sender.close();
  sender.close();
}

TEST(SenderStream, comingAndGoingDisturbsNobody) {
  auto source = std::make_shared<Source>(smallSource(SourceKind::Noise, 200));
  SentFrames sent;
  SenderStream staying(source, std::make_unique<FakeOutput>(sent), 1);
  for (int turn = 0; turn < 30; ++turn) {
    SentFrames sentByGuest;
    SenderStream guest(source, std::make_unique<FakeOutput>(sentByGuest), 2);
    std::this_thread::sleep_for(std::chrono::milliseconds(turn % 7));
    guest.close();
    const auto counts = settledCounts(drained(guest.submits()), drained(guest.misses()));
    uint64_t expected = guest.firstSlot();
    for (const auto& [frameNumber, count] : counts) {
      EXPECT_EQ(frameNumber, expected++);
      EXPECT_EQ(count, 1);
    }
  }
  EXPECT_TRUE(eventually([&] { return sent.all().size() > 10; }));
  staying.close();
}

}  // namespace
}  // namespace whiteline::test
