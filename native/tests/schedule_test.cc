#include "native/base/pacing/schedule.h"

#include <gtest/gtest.h>

#include <limits>
#include <random>

namespace whiteline {
namespace {

constexpr int64_t kStartNs = 123'456'789;

TEST(Schedule, NeverDriftsOverABillionSlots) {
  const Schedule schedule(kStartNs, {.numerator = 60000, .denominator = 1001});
  // 60,000 slots take 1001 s exactly, so whole rounds must fall on whole seconds for ever.
  for (const uint64_t rounds : {1u, 2u, 1000u, 16'667u, 20'000u}) {
    EXPECT_EQ(schedule.slotTimeNs(rounds * 60'000),
              kStartNs + static_cast<int64_t>(rounds) * 1'001'000'000'000);
  }
  // Counted up in whole numbers: 10⁹ · 1001 / 60000 is 16683333 and one third nanoseconds.
  uint64_t thirds = 0;
  for (uint64_t slot = 0; slot < 200'000; ++slot, thirds += 16'683'333 * 3 + 1) {
    ASSERT_EQ(schedule.slotTimeNs(slot), kStartNs + static_cast<int64_t>(thirds / 3));
  }
  EXPECT_EQ(schedule.slotTimeNs(1'000'000'000), kStartNs + 16'683'333'333'333'333);
}

TEST(Schedule, HoldsTheLargestSlotsAndTerms) {
  constexpr uint32_t kMax = std::numeric_limits<uint32_t>::max();
  const Schedule evenTerms(0, {.numerator = kMax, .denominator = kMax});
  EXPECT_EQ(evenTerms.slotTimeNs(9'000'000'000), 9'000'000'000'000'000'000);
  EXPECT_EQ(evenTerms.slotAt(9'000'000'000'000'000'000), 9'000'000'000u);
  EXPECT_EQ(evenTerms.slotAt(8'999'999'999'999'999'999), 8'999'999'999u);
  const Schedule slow(0, {.numerator = 1, .denominator = kMax});
  EXPECT_EQ(slow.slotTimeNs(2), int64_t{2} * kMax * 1'000'000'000);
}

TEST(Schedule, DeadlineIsTheTimeOfTheNextSlot) {
  const Schedule schedule(kStartNs, {.numerator = 25, .denominator = 1});
  EXPECT_EQ(schedule.deadlineNs(0), kStartNs + 40'000'000);
  EXPECT_EQ(schedule.deadlineNs(99), kStartNs + 4'000'000'000);
}

class ScheduleAtRate : public testing::TestWithParam<Rate> {};

INSTANTIATE_TEST_SUITE_P(Rates, ScheduleAtRate,
                         testing::Values(Rate{60000, 1001}, Rate{24000, 1001}, Rate{30, 1}, Rate{60, 1},
                                         Rate{120, 1}, Rate{1, 1}, Rate{1, 7}, Rate{999'999'937, 3}),
                         [](const auto& info) {
                           return std::to_string(info.param.numerator) + "_" +
                                  std::to_string(info.param.denominator);
                         });

TEST_P(ScheduleAtRate, SlotAtIsTheInverseOfSlotTime) {
  const Schedule schedule(kStartNs, GetParam());
  std::mt19937_64 random(1);
  for (int round = 0; round < 20'000; ++round) {
    const uint64_t slot = round < 1000 ? static_cast<uint64_t>(round) : random() % 1'000'000'000;
    ASSERT_EQ(schedule.slotAt(schedule.slotTimeNs(slot)), slot);
    ASSERT_EQ(schedule.slotAt(schedule.deadlineNs(slot) - 1), slot);
    ASSERT_LT(schedule.slotTimeNs(slot), schedule.deadlineNs(slot));
  }
}

TEST_P(ScheduleAtRate, SlotZeroIsDueUntilTheStart) {
  const Schedule schedule(kStartNs, GetParam());
  EXPECT_EQ(schedule.slotAt(0), 0u);
  EXPECT_EQ(schedule.slotAt(kStartNs - 1), 0u);
  EXPECT_EQ(schedule.slotAt(kStartNs), 0u);
  EXPECT_EQ(schedule.slotTimeNs(0), kStartNs);
}

}  // namespace
}  // namespace whiteline
