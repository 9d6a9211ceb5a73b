#include "native/base/pacing/wake_up_lateness.h"

#include <gtest/gtest.h>

#include <vector>

#include "native/tests/pipeline_fakes.h"

namespace whiteline::test {
namespace {

constexpr int64_t kOneUs = 1000;
constexpr int64_t kOneMs = 1'000'000;

std::vector<WakeUpRecord> drained(RecordRing<WakeUpRecord>& ring) {
  std::vector<WakeUpRecord> records;
  ring.drain([&](const WakeUpRecord& record) { records.push_back(record); });
  return records;
}

/** A clock that stands still but for sleeps, each of which ends late by the next of these; then by nothing.
 */
PacingTime timeWith(std::vector<int64_t> latenessesNs) {
  auto nowNs = std::make_shared<int64_t>(7 * kOneMs);
  auto next = std::make_shared<size_t>(0);
  return {.nowNs = [nowNs] { return *nowNs; },
          .sleepUntilOrClosing =
              [=](int64_t timeNs, const std::atomic<bool>&) {
                const int64_t lateNs = *next < latenessesNs.size() ? latenessesNs[(*next)++] : 0;
                *nowNs = std::max(*nowNs, timeNs + lateNs);
                return true;
              }};
}

std::vector<WakeUpRecord> recordsOf(WakeUpOptions options, PacingTime time) {
  WakeUpLateness lateness(options, std::move(time));
  EXPECT_TRUE(eventually([&] { return lateness.status().isDone; }));
  EXPECT_EQ(lateness.status().slotsPassed, options.slots);
  return drained(*lateness.sharedRecords());
}

TEST(WakeUpLateness, RecordsHowLateEachWakeUpCame) {
  const auto records = recordsOf({{1000, 1}, 4}, timeWith({0, 60 * kOneUs, 999 * kOneUs, 5 * kOneUs}));
  ASSERT_EQ(records.size(), 4u);
  const int64_t expectedNs[] = {0, 60 * kOneUs, 999 * kOneUs, 5 * kOneUs};
  for (uint32_t slot = 0; slot < 4; ++slot) {
    EXPECT_EQ(records[slot].slot, slot);
    EXPECT_EQ(records[slot].latenessNs, expectedNs[slot]);
  }
}

TEST(WakeUpLateness, SlotsThatPassWhileItSleepsOnHaveNoRecord) {
  // At 50 Hz, 45 ms late for slot 1 is in the middle of slot 3; the last sleep takes the rest of the time.
  const auto records = recordsOf({{50, 1}, 10}, timeWith({0, 45 * kOneMs, 0, 10'000 * kOneMs}));
  ASSERT_EQ(records.size(), 4u);
  EXPECT_EQ(records[1].slot, 1u);
  EXPECT_EQ(records[1].latenessNs, 45 * kOneMs);
  EXPECT_EQ(records[2].slot, 4u);
  EXPECT_EQ(records[2].latenessNs, 0);
  EXPECT_EQ(records[3].slot, 5u);
}

TEST(WakeUpLateness, AWakeUpAtTheNextSlotsTimeIsThatSlotsToo) {
  const auto records = recordsOf({{100, 1}, 3}, timeWith({10 * kOneMs}));
  ASSERT_EQ(records.size(), 2u);
  EXPECT_EQ(records[0].latenessNs, 10 * kOneMs);
  EXPECT_EQ(records[1].slot, 2u);
}

TEST(WakeUpLateness, OnTheMachinesClockNoWakeUpIsEarlyAndNoneIsMissing) {
  WakeUpLateness lateness({{1000, 1}, 50});
  const auto ring = lateness.sharedRecords();
  ASSERT_TRUE(eventually([&] { return lateness.status().isDone; }));
  lateness.close();
  const auto records = drained(*ring);
  ASSERT_FALSE(records.empty());
  EXPECT_EQ(records[0].slot, 0u);
  EXPECT_EQ(ring->overflowed(), 0u);
  uint64_t next = 0;
  for (const WakeUpRecord& record : records) {
    EXPECT_GE(record.latenessNs, 0);
    EXPECT_EQ(record.slot, next);
    // What it slept on for says which slots are missing.
    next = record.slot + 1 + static_cast<uint64_t>(record.latenessNs / kOneMs);
  }
  EXPECT_GE(next, 50u);
}

TEST(WakeUpLateness, ClosingEndsItAndKeepsWhatWasRecorded) {
  WakeUpLateness lateness({{1, 1}, 1000});
  const auto ring = lateness.sharedRecords();
  ASSERT_TRUE(eventually([&] { return ring->size() > 0; }));
  lateness.close();
  lateness.close();
  EXPECT_FALSE(lateness.status().isDone);
  EXPECT_GE(lateness.status().slotsPassed, 1u);
  EXPECT_FALSE(drained(*ring).empty());
}

}  // namespace
}  // namespace whiteline::test
