#include "native/media/pipeline/look_ahead.h"

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "native/base/pacing/time_units.h"
#include "native/media/pipeline/reopening.h"

namespace whiteline::test {
namespace {

constexpr uint64_t kAheadSlots = LookAhead::kPicturesAhead;
/** Slots of 20 ms. */
constexpr Rate kFiftyHz{50, 1};
constexpr int64_t kSlotNs = 20 * kNsPerMs;

/** So many pictures, each read and decoded in these times, before the schedule begins. */
LookAhead after(int pictures, int64_t readNs, int64_t decodeNs) {
  LookAhead lookAhead;
  for (int picture = 0; picture < pictures; ++picture) {
    lookAhead.beginRead(0);
    lookAhead.endRead(readNs, true);
    lookAhead.noteDecoded(decodeNs);
  }
  lookAhead.rewind();
  lookAhead.setSchedule(Schedule(0, kFiftyHz));
  return lookAhead;
}

TEST(LookAhead, beginsItsWindowAndNoMoreUntilItMoves) {
  LookAhead lookAhead;
  for (uint64_t slot = 0; slot < kAheadSlots; ++slot) {
    EXPECT_FALSE(lookAhead.allBegun());
    EXPECT_EQ(lookAhead.beginRead(1), slot);
  }
  EXPECT_TRUE(lookAhead.allBegun());
  lookAhead.passTo(2);
  EXPECT_FALSE(lookAhead.allBegun());
  EXPECT_EQ(lookAhead.beginRead(1), kAheadSlots);
  lookAhead.passTo(1);
  EXPECT_EQ(lookAhead.first(), 2u) << "it never goes back";
  lookAhead.passTo(100);
  EXPECT_EQ(lookAhead.beginRead(1), 100u);
  lookAhead.passAllBegun();
  EXPECT_EQ(lookAhead.first(), 101u);
  lookAhead.rewind();
  EXPECT_EQ(lookAhead.beginRead(1), 0u);
}

TEST(LookAhead, movesWithItsSchedule) {
  LookAhead lookAhead;
  lookAhead.passWhatHasGoneBy(1'000 * kSlotNs);
  EXPECT_EQ(lookAhead.first(), 0u) << "without a schedule nothing goes by";
  lookAhead.setSchedule(Schedule(0, kFiftyHz));
  lookAhead.passWhatHasGoneBy(3 * kSlotNs + 1);
  EXPECT_EQ(lookAhead.first(), 3u);
  EXPECT_EQ(lookAhead.untilItMovesNs(3 * kSlotNs + 1), kSlotNs - 1);
  EXPECT_EQ(lookAhead.untilItMovesNs(9 * kSlotNs), 0);
}

TEST(LookAhead, leavesOutWhatCannotBeReadyByTheMedianOfTheLastTimes) {
  LookAhead lookAhead = after(5, 15 * kNsPerMs, 15 * kNsPerMs);
  // One hiccup.
  lookAhead.beginRead(0);
  lookAhead.endRead(kNsPerSecond, true);
  lookAhead.rewind();
  // Ready at 30 ms: slot 0 is due at 0, slot 1 at 20 ms, slot 2 at 40 ms.
  lookAhead.leaveOutWhatCannotBeInTime(0);
  EXPECT_EQ(lookAhead.beginRead(0), 2u);
  EXPECT_TRUE(lookAhead.causeOfGivingUp(0) && lookAhead.causeOfGivingUp(1));
  EXPECT_FALSE(lookAhead.causeOfGivingUp(2));
}

TEST(LookAhead, triesTheLastOfTheWindowInAnyCase) {
  LookAhead lookAhead = after(5, kNsPerSecond, 0);
  lookAhead.leaveOutWhatCannotBeInTime(0);
  EXPECT_EQ(lookAhead.beginRead(0), kAheadSlots - 1);
}

TEST(LookAhead, whatIsReadyJustInTimeIsTried) {
  LookAhead lookAhead = after(5, 10 * kNsPerMs, 10 * kNsPerMs);
  lookAhead.passTo(1);
  lookAhead.leaveOutWhatCannotBeInTime(0);
  EXPECT_EQ(lookAhead.beginRead(0), 1u);
  lookAhead.leaveOutWhatCannotBeInTime(kSlotNs + 1);
  EXPECT_EQ(lookAhead.beginRead(0), 3u);
}

TEST(LookAhead, blamesTheDiskForWhatWaitsBehindASlowReadUnlessDecodingHeldItUp) {
  LookAhead lookAhead = after(0, 0, 0);
  lookAhead.beginRead(100);
  EXPECT_EQ(lookAhead.causeBeforeReading(100 + kSlotNs), LateCause::Decode);
  EXPECT_EQ(lookAhead.causeBeforeReading(101 + kSlotNs), LateCause::Disk);
  lookAhead.noteHeldUpByDecoding(true);
  EXPECT_EQ(lookAhead.causeBeforeReading(101 + kSlotNs), LateCause::Decode);
  lookAhead.noteHeldUpByDecoding(false);
  lookAhead.endRead(200, true);
  EXPECT_EQ(lookAhead.causeBeforeReading(101 + kSlotNs), LateCause::Decode) << "it took 100 ns";
  EXPECT_EQ(LookAhead::causeAfterReading(0, 100, 199), LateCause::Disk);
  EXPECT_EQ(LookAhead::causeAfterReading(0, 100, 200), LateCause::Decode);
}

TEST(LookAhead, keepsWhyASlotWasGivenUpUntilAnotherTakesItsPlace) {
  LookAhead lookAhead;
  lookAhead.giveUp(3, LateCause::Damaged);
  EXPECT_EQ(lookAhead.causeOfGivingUp(3), LateCause::Damaged);
  EXPECT_FALSE(lookAhead.causeOfGivingUp(3 + kAheadSlots));
  lookAhead.giveUp(3 + kAheadSlots, LateCause::Disk);
  EXPECT_FALSE(lookAhead.causeOfGivingUp(3));
  lookAhead.rewind();
  EXPECT_FALSE(lookAhead.causeOfGivingUp(3 + kAheadSlots));
}

TEST(LookAhead, aPictureIsDecodedIfItCanBeInTimeAndOnTrialAfterManyDrops) {
  LookAhead unscheduled;
  EXPECT_EQ(unscheduled.decodeTimes(7, 5).deadlineNs, kNsPerSecond + 5);
  EXPECT_EQ(unscheduled.decodeTimes(7, 5).latestStartNs, INT64_MAX);
  LookAhead lookAhead = after(5, 0, 15 * kNsPerMs);
  EXPECT_EQ(lookAhead.decodeTimes(7, 5).deadlineNs, 7 * kSlotNs);
  EXPECT_EQ(lookAhead.decodeTimes(7, 5).latestStartNs, 7 * kSlotNs - 15 * kNsPerMs);
  for (uint64_t drop = 0; drop < kAheadSlots; ++drop) lookAhead.noteDropped();
  EXPECT_EQ(lookAhead.decodeTimes(7, 5).latestStartNs, 7 * kSlotNs);
  lookAhead.noteDecoded(15 * kNsPerMs);
  EXPECT_EQ(lookAhead.decodeTimes(7, 5).latestStartNs, 7 * kSlotNs - 15 * kNsPerMs);
}

/** Which of the slots are ready at their times, in a time that stands still but for reading, which takes
 * `readNs` a picture. */
std::set<uint64_t> shownOf(uint64_t slots, LookAhead& lookAhead, int64_t readNs,
                           std::map<LateCause, int>& late) {
  const Schedule schedule(kAheadSlots * kSlotNs, kFiftyHz);
  std::set<uint64_t> shown;
  lookAhead.setSchedule(schedule);
  uint64_t asked = 0;
  for (int64_t nowNs = 0; schedule.slotTimeNs(slots) > nowNs;) {
    lookAhead.passWhatHasGoneBy(nowNs);
    lookAhead.leaveOutWhatCannotBeInTime(nowNs);
    if (lookAhead.allBegun()) {
      nowNs += lookAhead.untilItMovesNs(nowNs);
      continue;
    }
    const uint64_t slot = lookAhead.beginRead(nowNs);
    nowNs += readNs;
    lookAhead.endRead(nowNs, true);
    lookAhead.noteDecoded(0);
    if (slot < slots && nowNs <= schedule.slotTimeNs(slot)) shown.insert(slot);
    for (; asked < slots && schedule.slotTimeNs(asked) < nowNs; ++asked) {
      if (shown.contains(asked)) continue;
      ++late[lookAhead.causeOfGivingUp(asked).value_or(lookAhead.causeBeforeReading(nowNs))];
    }
  }
  return shown;
}

TEST(LookAhead, aDiskThatIsTooSlowCostsAsManyPicturesAsItMustAndIsBlamed) {
  LookAhead lookAhead;
  std::map<LateCause, int> late;
  // 2.1 s are enough for 42 pictures, the last of which belongs to a later slot.
  const std::set<uint64_t> shown = shownOf(100, lookAhead, 50 * kNsPerMs, late);
  EXPECT_EQ(shown.size(), 41u);
  EXPECT_EQ(late, (std::map<LateCause, int>{{LateCause::Disk, 59}}));
}

TEST(LookAhead, aDiskThatIsFastEnoughCostsNone) {
  LookAhead lookAhead;
  std::map<LateCause, int> late;
  EXPECT_EQ(shownOf(100, lookAhead, kSlotNs, late).size(), 100u);
  EXPECT_TRUE(late.empty());
}

TEST(Reopening, isDueASecondAfterTheLastGoodPictureAndThenOnceASecond) {
  Reopening reopening;
  EXPECT_FALSE(reopening.isDue(9 * kNsPerSecond)) << "nothing was bad";
  reopening.noteDamage(10 * kNsPerSecond);
  reopening.noteDamage(10 * kNsPerSecond + 900 * kNsPerMs);
  EXPECT_FALSE(reopening.isDue(11 * kNsPerSecond - 1));
  EXPECT_TRUE(reopening.isDue(11 * kNsPerSecond));
  EXPECT_FALSE(reopening.isDue(12 * kNsPerSecond - 1));
  EXPECT_TRUE(reopening.isDue(12 * kNsPerSecond));
  reopening.noteGood();
  EXPECT_FALSE(reopening.isDue(20 * kNsPerSecond));
  reopening.noteDamage(20 * kNsPerSecond);
  EXPECT_FALSE(reopening.isDue(21 * kNsPerSecond - 1));
  EXPECT_TRUE(reopening.isDue(21 * kNsPerSecond));
}

}  // namespace
}  // namespace whiteline::test
