#include "native/base/pacing/late_wakes.h"

#include <gtest/gtest.h>

#include <vector>

#include "native/base/pacing/time_units.h"

namespace whiteline::test {
namespace {

constexpr int64_t kDueNs = 7 * kNsPerSecond;

/** Of a thread that had waited 3 s for processors before it slept. */
std::optional<Standstill> foundIn(int64_t lateNs, std::optional<int64_t> queuedMeanwhileNs) {
  constexpr int64_t kBeforeNs = 3 * kNsPerSecond;
  std::optional<int64_t> afterNs;
  if (queuedMeanwhileNs) afterNs = kBeforeNs + *queuedMeanwhileNs;
  return standstillOf({kDueNs, kDueNs + lateNs, kBeforeNs, afterNs});
}

TEST(Standstill, IsFromWhenItWasDueUntilItWoke) {
  const std::optional<Standstill> found = foundIn(800 * kNsPerMs, 0);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->fromNs, kDueNs);
  EXPECT_EQ(found->toNs, kDueNs + 800 * kNsPerMs);
  EXPECT_EQ(found->lengthNs(), 800 * kNsPerMs);
}

TEST(Standstill, IsNoneBelow10Ms) {
  EXPECT_FALSE(foundIn(0, 0));
  EXPECT_FALSE(foundIn(10 * kNsPerMs - 1, 0));
  EXPECT_TRUE(foundIn(10 * kNsPerMs, 0));
  // It was ended before it was due.
  EXPECT_FALSE(foundIn(-20 * kNsPerMs, 0));
}

TEST(Standstill, IsOfTheKindThatTookTheLargerPart) {
  using enum Standstill::Kind;
  EXPECT_EQ(foundIn(100 * kNsPerMs, 0)->kind, Stopped);
  EXPECT_EQ(foundIn(100 * kNsPerMs, 49 * kNsPerMs)->kind, Stopped);
  EXPECT_EQ(foundIn(100 * kNsPerMs, 50 * kNsPerMs)->kind, Starved);
  EXPECT_EQ(foundIn(100 * kNsPerMs, 100 * kNsPerMs)->kind, Starved);
  // It waited before it was to sleep, too.
  EXPECT_EQ(foundIn(100 * kNsPerMs, 160 * kNsPerMs)->kind, Starved);
}

TEST(Standstill, IsStarvedWhereTheSystemDoesNotSay) {
  EXPECT_EQ(foundIn(100 * kNsPerMs, std::nullopt)->kind, Standstill::Kind::Starved);
  EXPECT_EQ(standstillOf({kDueNs, kDueNs + 100 * kNsPerMs, std::nullopt, 0})->kind,
            Standstill::Kind::Starved);
}

TEST(Standstill, IsStarvedWhereTheHypervisorTookTheProcessor) {
  const auto kindOf = [](int64_t queuedNs, int64_t stolenNs) {
    return standstillOf({kDueNs, kDueNs + 100 * kNsPerMs, 0, queuedNs, stolenNs})->kind;
  };
  EXPECT_EQ(kindOf(0, 40 * kNsPerMs), Standstill::Kind::Stopped);
  EXPECT_EQ(kindOf(0, 50 * kNsPerMs), Standstill::Kind::Starved);
  EXPECT_EQ(kindOf(20 * kNsPerMs, 30 * kNsPerMs), Standstill::Kind::Starved);
  // Of two processors.
  EXPECT_EQ(kindOf(0, 180 * kNsPerMs), Standstill::Kind::Starved);
}

/** Wakes of a process that never waits for a processor. */
class LateWakesOf {
 public:
  /** Lengths of what is reported at this wake, ms. */
  std::vector<int64_t> wake(int64_t dueMs, int64_t lateMs) {
    const int64_t dueNs = kDueNs + dueMs * kNsPerMs;
    std::vector<int64_t> lengthsMs;
    for (const Standstill& found : wakes_.add({dueNs, dueNs + lateMs * kNsPerMs, 0, 0}))
      lengthsMs.push_back(found.lengthNs() / kNsPerMs);
    return lengthsMs;
  }
  int64_t nextLookNs() const { return wakes_.nextLookNs(); }

 private:
  LateWakes wakes_;
};

using Lengths = std::vector<int64_t>;

TEST(LateWakes, CountAtOnceFrom50Ms) {
  LateWakesOf wakes;
  EXPECT_EQ(wakes.wake(0, 49), Lengths{});
  EXPECT_EQ(wakes.wake(100, 50), Lengths{50});
  EXPECT_EQ(wakes.wake(200, 9), Lengths{});
}

TEST(LateWakes, CountWhereTheyTakeAQuarterOfASecond) {
  LateWakesOf wakes;
  for (int64_t index = 0; index < 6; ++index) EXPECT_EQ(wakes.wake(60 * index, 40), Lengths{});
  EXPECT_EQ(wakes.wake(360, 10), (Lengths{40, 40, 40, 40, 40, 40, 10}));
  // Each is reported once.
  EXPECT_EQ(wakes.wake(420, 30), Lengths{30});
}

TEST(LateWakes, CountBesideLongOnes) {
  LateWakesOf wakes;
  EXPECT_EQ(wakes.wake(0, 20), Lengths{});
  EXPECT_EQ(wakes.wake(100, 200), Lengths{200});
  EXPECT_EQ(wakes.wake(400, 30), (Lengths{20, 30}));
}

TEST(LateWakes, DoNotCountWhereTheyAreRare) {
  LateWakesOf wakes;
  // 245 ms of each second.
  for (int64_t index = 0; index < 100; ++index) EXPECT_EQ(wakes.wake(200 * index, 49), Lengths{});
}

TEST(LateWakes, AreLookedForMoreOftenForASecondAfterOne) {
  LateWakesOf wakes;
  wakes.wake(0, 9);
  EXPECT_EQ(wakes.nextLookNs(), 50 * kNsPerMs);
  wakes.wake(100, 10);
  EXPECT_EQ(wakes.nextLookNs(), 10 * kNsPerMs);
  wakes.wake(1109, 0);
  EXPECT_EQ(wakes.nextLookNs(), 10 * kNsPerMs);
  wakes.wake(1110, 0);
  EXPECT_EQ(wakes.nextLookNs(), 50 * kNsPerMs);
}

}  // namespace
}  // namespace whiteline::test
