#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <iterator>

#include "native/base/pacing/time_units.h"
#include "native/tests/pipeline_fake_movie.h"
#include "native/tests/pipeline_fakes.h"

namespace whiteline::test {
namespace {

constexpr auto kAhead = static_cast<int>(HapPictures::kPicturesAhead);

/** A schedule whose slots are all far ahead: nothing can be late. */
Schedule farAhead(Rate rate = {30, 1}) {
  return {monotonicNs() + 3'600'000'000'000, rate};
}

void sleepMs(int64_t milliseconds) {
  sleepUntilNs(monotonicNs() + milliseconds * kNsPerMs);
}

void waitUntilReady(HapPictures& pictures) {
  ASSERT_TRUE(eventually([&] { return pictures.readiness() == PictureSource::Readiness::Ready; }));
}

/** The frame shown in a slot, waiting for it. */
uint32_t frameIn(HapPictures& pictures, uint64_t slot) {
  std::shared_ptr<Frame> picture;
  EXPECT_TRUE(eventually([&] { return (picture = pictures.next(slot)) != nullptr; })) << slot;
  return picture == nullptr ? UINT32_MAX : frameShown(picture->picture());
}

std::vector<uint32_t> framesIn(HapPictures& pictures, uint64_t slots) {
  std::vector<uint32_t> frames;
  for (uint64_t slot = 0; slot < slots; ++slot) frames.push_back(frameIn(pictures, slot));
  return frames;
}

MovieScript::Step damaging(size_t first, size_t last) {
  return [=](size_t frame) {
    if (frame >= first && frame <= last) throw movieDamaged("frame " + std::to_string(frame) + " is bad", 0);
  };
}

TEST(HapPictures, preparesItsLookAheadAndNoMore) {
  FakeHap hap;
  HapPictures& pictures = hap.play();
  waitUntilReady(pictures);
  // On a busy machine it is ready with fewer of them.
  EXPECT_TRUE(eventually([&] { return hap.script.decodes == kAhead; }));
  sleepMs(50);
  EXPECT_EQ(hap.script.decodes, kAhead);
  EXPECT_EQ(hap.pool.allocated(), HapPictures::kPicturesAhead);
  pictures.begin(farAhead());
  const std::shared_ptr<Frame> taken = pictures.next(0);
  ASSERT_TRUE(eventually([&] { return hap.script.decodes == kAhead + 1; }));
  sleepMs(50);
  EXPECT_EQ(hap.script.decodes, kAhead + 1);
}

TEST(HapPictures, everySlotHasItsFrameRoundAndRound) {
  FakeHap hap;
  hap.script.index = evenIndex(4, 30, 1);
  HapPictures& pictures = hap.play({30, 1}, 2);
  waitUntilReady(pictures);
  pictures.begin(farAhead());
  EXPECT_EQ(framesIn(pictures, 10), (std::vector<uint32_t>{2, 3, 0, 1, 2, 3, 0, 1, 2, 3}));
}

TEST(HapPictures, anotherRateThanTheMoviesKeepsItsSpeed) {
  FakeHap hap;
  hap.script.index = evenIndex(3, 30, 1);
  HapPictures& pictures = hap.play({60, 1});
  waitUntilReady(pictures);
  pictures.begin(farAhead({60, 1}));
  EXPECT_EQ(framesIn(pictures, 8), (std::vector<uint32_t>{0, 0, 1, 1, 2, 2, 0, 0}));
}

TEST(HapPictures, slotsThatWerePassedAreDiscarded) {
  FakeHap hap;
  HapPictures& pictures = hap.play();
  waitUntilReady(pictures);
  pictures.begin(farAhead());
  EXPECT_EQ(frameIn(pictures, 0), 0u);
  EXPECT_EQ(frameIn(pictures, 3), 3u);
  EXPECT_EQ(frameIn(pictures, 11), 11u);
  EXPECT_EQ(frameIn(pictures, 25), 1u);
  EXPECT_LE(hap.pool.allocated(), HapPictures::kPicturesAhead + 1);
}

TEST(HapPictures, aSlotThatIsAskedForTwiceIsGivenOnce) {
  FakeHap hap;
  HapPictures& pictures = hap.play();
  waitUntilReady(pictures);
  pictures.begin(farAhead());
  EXPECT_EQ(frameIn(pictures, 0), 0u);
  EXPECT_EQ(pictures.next(0), nullptr);
}

TEST(HapPictures, aDiskThatHangsIsToldAsSuchAndHoldsNobodyUpOnQuietMachine) {
  Gate gate;
  FakeHap hap;
  hap.script.onRead = [&](size_t frame) {
    if (frame == 6) gate.pass();
  };
  HapPictures& pictures = hap.play();
  waitUntilReady(pictures);
  pictures.begin(farAhead());
  for (uint64_t slot = 0; slot < 6; ++slot) frameIn(pictures, slot);
  gate.waitForArrivals(1);
  sleepMs(50);
  const int64_t beginNs = monotonicNs();
  EXPECT_EQ(pictures.next(6), nullptr);
  EXPECT_EQ(pictures.lateCause(), LateCause::Disk);
  EXPECT_EQ(pictures.next(7), nullptr);
  EXPECT_LT(monotonicNs() - beginNs, 20 * kNsPerMs);
  // The read has taken longer than the 33 ms of a slot: what waits behind it is late for the same cause.
  EXPECT_EQ(pictures.lateCause(), LateCause::Disk);
  gate.open();
  EXPECT_EQ(frameIn(pictures, 9), 9u);
}

TEST(HapPictures, decodingThatHangsIsToldAsSuchAndHoldsNobodyUp) {
  Gate gate;
  FakeHap hap;
  hap.script.onDecode = [&](size_t frame) {
    if (frame == 6) gate.pass();
  };
  HapPictures& pictures = hap.play();
  waitUntilReady(pictures);
  pictures.begin(farAhead());
  for (uint64_t slot = 0; slot < 6; ++slot) frameIn(pictures, slot);
  gate.waitForArrivals(1);
  // Once it has decoded for longer than it had read, and a busy machine reads slowly.
  EXPECT_TRUE(
      eventually([&] { return pictures.next(6) == nullptr && pictures.lateCause() == LateCause::Decode; }));
  EXPECT_EQ(frameIn(pictures, 7), 7u);
  EXPECT_EQ(frameIn(pictures, 8), 8u);
  gate.open();
  EXPECT_EQ(frameIn(pictures, 9), 9u);
}

TEST(HapPictures, whatTookLongerToReadThanToWaitForIsTheDisksFaultOnQuietMachine) {
  Gate gate;
  FakeHap hap;
  hap.script.onRead = [](size_t frame) {
    if (frame == 6) sleepMs(200);
  };
  hap.script.onDecode = [&](size_t frame) {
    if (frame == 6) gate.pass();
  };
  HapPictures& pictures = hap.play();
  waitUntilReady(pictures);
  pictures.begin(farAhead());
  for (uint64_t slot = 0; slot < 6; ++slot) frameIn(pictures, slot);
  gate.waitForArrivals(1);
  EXPECT_EQ(pictures.next(6), nullptr);
  EXPECT_EQ(pictures.lateCause(), LateCause::Disk);
  gate.open();
}

TEST(HapPictures, whatDecodingHoldsUpIsItsFaultEvenAfterASlowRead) {
  Gate gate;
  std::atomic<bool> wasRead{false};
  FakeHap hap;
  hap.script.index = evenIndex(100, 30, 1);
  hap.script.onRead = [&](size_t frame) {
    if (frame != 10) return;
    sleepMs(60);
    wasRead = true;
  };
  hap.script.onDecode = [&](size_t frame) {
    if (frame >= 6) gate.pass();
  };
  HapPictures& pictures = hap.play();
  waitUntilReady(pictures);
  pictures.begin(farAhead());
  for (uint64_t slot = 0; slot < 6; ++slot) frameIn(pictures, slot);
  EXPECT_TRUE(eventually([&] { return wasRead.load(); }));
  // Soon all the places are taken by pictures that wait for a worker.
  EXPECT_TRUE(
      eventually([&] { return pictures.next(11) == nullptr && pictures.lateCause() == LateCause::Decode; }));
  sleepMs(50);
  EXPECT_EQ(pictures.next(11), nullptr);
  EXPECT_EQ(pictures.lateCause(), LateCause::Decode);
  gate.open();
  EXPECT_EQ(frameIn(pictures, 11), 11u);
}

TEST(HapPictures, aDamagedFrameCostsItsOwnSlotOnly) {
  for (const bool inReading : {true, false}) {
    FakeHap hap;
    (inReading ? hap.script.onRead : hap.script.onDecode) = damaging(7, 7);
    HapPictures& pictures = hap.play();
    waitUntilReady(pictures);
    pictures.begin(farAhead());
    for (uint64_t slot = 0; slot < 7; ++slot) EXPECT_EQ(frameIn(pictures, slot), slot);
    ASSERT_TRUE(eventually([&] { return hap.health.report().damagedPictures == 1; }));
    EXPECT_EQ(pictures.next(7), nullptr);
    EXPECT_EQ(pictures.lateCause(), LateCause::Damaged);
    EXPECT_EQ(frameIn(pictures, 8), 8u);
    EXPECT_EQ(hap.health.report().damagedPictures, 1u);
    EXPECT_EQ(hap.health.report().damage, "frame 7 is bad");
    EXPECT_EQ(pictures.failure(), "");
  }
}

TEST(HapPictures, damagedFirstFramesAreReplacedByTheFirstGoodOne) {
  FakeHap hap;
  hap.script.index = evenIndex(100, 30, 1);
  hap.script.onDecode = damaging(0, 7);
  HapPictures& pictures = hap.play();
  waitUntilReady(pictures);
  const std::shared_ptr<Frame> first = pictures.begin(farAhead());
  ASSERT_NE(first, nullptr);
  EXPECT_EQ(frameShown(first->picture()), 8u);
  ASSERT_TRUE(eventually([&] { return hap.health.report().damagedPictures == HapPictures::kPicturesAhead; }));
  for (uint64_t slot = 0; slot < 8; ++slot) {
    // All that are read ahead, the one before this among them: they are decoded in any order.
    const uint64_t ahead =
        std::clamp<uint64_t>(HapPictures::kPicturesAhead + slot - 1, HapPictures::kPicturesAhead, 8);
    ASSERT_TRUE(eventually([&] { return hap.health.report().damagedPictures >= ahead; })) << slot;
    EXPECT_EQ(pictures.next(slot), nullptr) << slot;
    EXPECT_EQ(pictures.lateCause(), LateCause::Damaged) << slot;
  }
  EXPECT_EQ(frameIn(pictures, 8), 8u);
  EXPECT_EQ(hap.health.report().damagedPictures, 8u);
}

TEST(HapPictures, aMovieOfDamageIsNeverReadyAndDoesNotBusyTheProcessor) {
  FakeHap hap;
  hap.script.onRead = damaging(0, 11);
  const int64_t beginNs = monotonicNs();
  HapPictures& pictures = hap.play();
  sleepMs(200);
  EXPECT_TRUE(eventually([&] { return hap.script.reads > kAhead; }));
  EXPECT_EQ(pictures.readiness(), PictureSource::Readiness::Waiting);
  const int reads = hap.script.reads;
  // One look-ahead at once, and one after each pause of 10 ms.
  EXPECT_LE(reads, kAhead * ((monotonicNs() - beginNs) / (10 * kNsPerMs) + 1));
  EXPECT_GT(hap.health.report().damagedPictures, 0u);
}

TEST(HapPictures, aFileThatIsLostIsOpenedAnewOnceASecondAndRecovers) {
  std::atomic<bool> lost{false};
  FakeHap hap;
  hap.script.onRead = [&](size_t) {
    if (lost && hap.script.reopenings == 0) throw Error("FILE_UNREADABLE", "gone");
  };
  HapPictures& pictures = hap.play();
  waitUntilReady(pictures);
  const Schedule schedule(monotonicNs(), {100, 1});
  pictures.begin(schedule);
  const int64_t lostNs = monotonicNs();
  lost = true;
  uint64_t slot = 0;
  bool sawDamage = false;
  ASSERT_TRUE(eventually([&] {
    slot = std::max(slot + 1, schedule.slotAt(monotonicNs()));
    sleepUntilNs(schedule.slotTimeNs(slot));
    const std::shared_ptr<Frame> picture = pictures.next(slot);
    if (picture == nullptr) sawDamage = sawDamage || pictures.lateCause() == LateCause::Damaged;
    return picture != nullptr && hap.script.reopenings > 0;
  }));
  EXPECT_TRUE(sawDamage);
  EXPECT_GE(monotonicNs() - lostNs, 1000 * kNsPerMs);
  EXPECT_EQ(hap.script.reopenings, 1);
}

TEST(HapPictures, aFileWithSomeDamageIsNotOpenedAnew) {
  FakeHap hap;
  hap.script.onRead = damaging(5, 5);
  HapPictures& pictures = hap.play({100, 1});
  waitUntilReady(pictures);
  const Schedule schedule(monotonicNs(), {100, 1});
  pictures.begin(schedule);
  const auto damaged = [&] { return hap.health.report().damagedPictures; };
  for (uint64_t slot = 0; slot < 125 || (damaged() <= 5 && slot < 1000); ++slot) {
    sleepUntilNs(schedule.slotTimeNs(slot));
    pictures.next(slot);
  }
  EXPECT_GT(damaged(), 5u);
  EXPECT_EQ(hap.script.reopenings, 0);
}

TEST(HapPictures, whoeverAsksLateFindsThePictureOfThatTimePrepared) {
  FakeHap hap;
  HapPictures& pictures = hap.play({50, 1});
  waitUntilReady(pictures);
  const Schedule schedule(monotonicNs(), {50, 1});
  pictures.begin(schedule);
  EXPECT_TRUE(eventually(
      [&] {
        sleepMs(250);
        const uint64_t slot = schedule.slotAt(monotonicNs()) + 1;
        const std::shared_ptr<Frame> picture = pictures.next(slot);
        return picture != nullptr && frameShown(picture->picture()) == slot * 30 / 50 % 12;
      },
      std::chrono::seconds(4)));
}

/** 0 where the system does not list them. */
size_t threadsOfProcess() {
  std::error_code missing;
  const std::filesystem::directory_iterator all("/proc/self/task", missing);
  return static_cast<size_t>(std::distance(begin(all), end(all)));
}

TEST(HapPictures, closingCancelsWhatIsQueuedAndWaitsForWhatRuns) {
  Gate gate;
  std::atomic<bool> decoded{false};
  FakeHap hap;
  hap.script.onDecode = [&](size_t) {
    gate.pass();
    decoded = true;
  };
  const auto decodePool = std::make_shared<DecodePool>(1);
  hap.play({30, 1}, 0, decodePool);
  gate.waitForArrivals(1);
  ASSERT_TRUE(eventually([&] { return hap.script.reads == kAhead; }));
  std::atomic<bool> closed{false};
  const size_t threadsBefore = threadsOfProcess();
  std::thread closing([&] {
    hap.pictures.reset();
    closed = true;
  });
  // Closing has begun when the thread that reads has ended.
  EXPECT_TRUE(eventually([&] { return threadsOfProcess() == threadsBefore; }));
  sleepMs(30);
  EXPECT_FALSE(closed);
  gate.open();
  closing.join();
  EXPECT_TRUE(decoded);
  EXPECT_EQ(hap.script.decodes, 1);
}

TEST(HapPictures, aMovieWhoseDiskHangsDoesNotDisturbAnotherOnQuietMachine) {
  const auto decodePool = std::make_shared<DecodePool>(2);
  Gate gate;
  FakeHap hanging, healthy;
  hanging.script.onRead = [&](size_t) { gate.pass(); };
  hanging.play({30, 1}, 0, decodePool);
  HapPictures& pictures = healthy.play({30, 1}, 0, decodePool);
  waitUntilReady(pictures);
  pictures.begin(farAhead());
  EXPECT_EQ(framesIn(pictures, 30).back(), 29u % 12);
  EXPECT_EQ(hanging.script.decodes, 0);
  gate.open();
}

/** How many slots of a real-time schedule were shown, and why the others were not. */
struct Played {
  int shown = 0;
  std::map<LateCause, int> late;
};

Played playInRealTime(HapPictures& pictures, Rate rate, uint64_t slots) {
  const Schedule schedule(monotonicNs() + 20 * kNsPerMs, rate);
  pictures.begin(schedule);
  Played played;
  for (uint64_t slot = 0; slot < slots; ++slot) {
    sleepUntilNs(schedule.slotTimeNs(slot));
    if (pictures.next(slot) != nullptr) {
      ++played.shown;
    } else {
      ++played.late[pictures.lateCause()];
    }
  }
  return played;
}

TEST(HapPictures, aDiskThatIsTooSlowCostsSomePicturesAndNotAllOnQuietMachine) {
  FakeHap hap;
  hap.script.onRead = [](size_t) { sleepMs(50); };
  HapPictures& pictures = hap.play({50, 1});
  waitUntilReady(pictures);
  // 2.5 slots for each picture: of 75 slots 30 can be shown, and the five of the look-ahead.
  const Played played = playInRealTime(pictures, {50, 1}, 75);
  EXPECT_GE(played.shown, 15);
  EXPECT_LE(played.shown, 36);
  EXPECT_GT(played.late.at(LateCause::Disk), 9 * (75 - played.shown) / 10);
}

TEST(HapPictures, decodingThatIsTooSlowCostsSomePicturesAndNotAllOnQuietMachine) {
  FakeHap hap;
  hap.script.onDecode = [](size_t) { sleepMs(50); };
  HapPictures& pictures = hap.play({50, 1}, 0, std::make_shared<DecodePool>(1));
  waitUntilReady(pictures);
  const Played played = playInRealTime(pictures, {50, 1}, 75);
  EXPECT_GE(played.shown, 15);
  EXPECT_LE(played.shown, 36);
  EXPECT_GT(played.late.at(LateCause::Decode), 9 * (75 - played.shown) / 10);
}

TEST(HapPictures, tellsTheDisksRateButNotThatOfAMovieInMemory) {
  FakeHap fromDisk, fromMemory;
  fromMemory.script.readsDisk = false;
  fromDisk.script.onRead = [](size_t) { sleepMs(1); };
  waitUntilReady(fromDisk.play());
  waitUntilReady(fromMemory.play());
  // 1000 bytes in a little over a millisecond.
  EXPECT_GT(fromDisk.health.report().diskRateMBps, 0);
  EXPECT_LE(fromDisk.health.report().diskRateMBps, 1);
  EXPECT_TRUE(std::isnan(fromMemory.health.report().diskRateMBps));
}

TEST(HapPictures, alphaLiesOverTheGrid) {
  FakeHap opaque, transparent;
  transparent.script.index.variant = HapVariant::HapQAlpha;
  waitUntilReady(opaque.play());
  waitUntilReady(transparent.play());
  EXPECT_FALSE(opaque.script.hadBackground);
  EXPECT_TRUE(transparent.script.hadBackground);
}

TEST(HapPictures, aPoolThatIsEmptyForAMomentDelaysItOnly) {
  FakeHap hap;
  std::vector<std::shared_ptr<Frame>> taken;
  while (std::shared_ptr<Frame> frame = hap.pool.acquire()) taken.push_back(std::move(frame));
  HapPictures& pictures = hap.play();
  sleepMs(30);
  EXPECT_EQ(hap.script.decodes, 0);
  taken.clear();
  waitUntilReady(pictures);
}

}  // namespace
}  // namespace whiteline::test
