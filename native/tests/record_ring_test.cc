#include "native/base/statistics/record_ring.h"

#include <gtest/gtest.h>

#include <atomic>
#include <new>
#include <thread>
#include <vector>

#include "native/media/records/records.h"

namespace whiteline {
namespace {

std::vector<int> drained(RecordRing<int>& ring) {
  std::vector<int> records;
  ring.drain([&](int record) { records.push_back(record); });
  return records;
}

TEST(RecordRing, RoundsItsCapacityUpToAPowerOfTwo) {
  EXPECT_EQ(RecordRing<int>(0).capacity(), 1u);
  EXPECT_EQ(RecordRing<int>(5).capacity(), 8u);
  EXPECT_EQ(RecordRing<int>(64).capacity(), 64u);
}

TEST(RecordRing, DrainsInOrderAndOnlyOnce) {
  RecordRing<int> ring(4);
  EXPECT_EQ(ring.drain([](int) { FAIL(); }), 0u);
  for (const int record : {1, 2, 3}) EXPECT_TRUE(ring.push(record));
  EXPECT_EQ(ring.size(), 3u);
  EXPECT_EQ(drained(ring), (std::vector{1, 2, 3}));
  EXPECT_EQ(ring.size(), 0u);
  EXPECT_TRUE(drained(ring).empty());
}

TEST(RecordRing, KeepsTheOldAndCountsTheNewWhenFull) {
  RecordRing<int> ring(4);
  for (int record = 0; record < 4; ++record) EXPECT_TRUE(ring.push(record));
  EXPECT_EQ(ring.overflowed(), 0u);
  EXPECT_FALSE(ring.push(4));
  EXPECT_FALSE(ring.push(5));
  EXPECT_EQ(ring.overflowed(), 2u);
  EXPECT_EQ(drained(ring), (std::vector{0, 1, 2, 3}));
  EXPECT_TRUE(ring.push(6));
  EXPECT_EQ(drained(ring), (std::vector{6}));
  EXPECT_EQ(ring.overflowed(), 2u);
}

TEST(RecordRing, GoesRoundManyTimes) {
  RecordRing<int> ring(8);
  int next = 0;
  int expected = 0;
  for (int turn = 0; turn < 1000; ++turn) {
    const int count = turn % 9;
    for (int index = 0; index < count; ++index) ASSERT_TRUE(ring.push(next++));
    for (const int record : drained(ring)) ASSERT_EQ(record, expected++);
  }
  EXPECT_EQ(expected, next);
  EXPECT_EQ(ring.overflowed(), 0u);
}

TEST(RecordRing, TrimmedKeepsWhatWasNotDrainedAndNoMore) {
  RecordRing<int> ring(64);
  for (int record = 0; record < 70; ++record) ring.push(record);
  ring.drain([](int) {});
  for (int record = 70; record < 75; ++record) EXPECT_TRUE(ring.push(record));
  ring.trim();
  EXPECT_EQ(ring.capacity(), 8u);
  EXPECT_EQ(ring.overflowed(), 6u);
  EXPECT_EQ(drained(ring), (std::vector{70, 71, 72, 73, 74}));
  ring.trim();
  EXPECT_EQ(ring.capacity(), 1u);
  EXPECT_TRUE(drained(ring).empty());
}

TEST(RecordRing, IsTrimmedWhileItIsDrained) {
  for (int round = 0; round < 200; ++round) {
    RecordRing<int> ring(256);
    for (int record = 0; record < 200; ++record) ring.push(record);
    std::thread trimming([&] { ring.trim(); });
    std::vector<int> records;
    while (records.size() < 200) ring.drain([&](int record) { records.push_back(record); });
    trimming.join();
    for (int record = 0; record < 200; ++record) ASSERT_EQ(records[static_cast<size_t>(record)], record);
  }
}

/** Every field is made from the number, so that a record that was read while half written would show. */
CaptureRecord recordOf(uint32_t number) {
  CaptureRecord record{};
  record.frameNumber = number;
  record.captureNs = int64_t{number} * 3;
  record.releaseTimeUs = uint64_t{number} * 5;
  record.mediaTimeNs = int64_t{number} * 7;
  record.transportDropped = ~number;
  return record;
}

TEST(RecordRing, KeepsTheRecordsThatCouldNotBeTaken) {
  RecordRing<int> ring(4);
  for (const int value : {1, 2, 3}) ring.push(value);
  EXPECT_THROW(ring.drainWhole([](const auto&) { throw std::bad_alloc(); }), std::bad_alloc);
  EXPECT_EQ(ring.size(), 3u);
  ring.push(4);
  std::vector<int> taken;
  ring.drainWhole([&](const auto& present) {
    EXPECT_EQ(present.size(), 4u);
    present.visit([&](int value) { taken.push_back(value); });
  });
  EXPECT_EQ(taken, (std::vector<int>{1, 2, 3, 4}));
  EXPECT_EQ(ring.size(), 0u);
  EXPECT_EQ(ring.overflowed(), 0u);
}

TEST(RecordRing, CarriesWholeRecordsBetweenTwoThreads) {
  constexpr uint32_t kRecords = 400'000;
  RecordRing<CaptureRecord> ring(256);
  std::atomic<bool> finished{false};
  uint64_t refused = 0;
  std::thread producer([&] {
    for (uint32_t number = 0; number < kRecords; ++number) refused += !ring.push(recordOf(number));
    finished.store(true, std::memory_order_release);
  });

  uint64_t received = 0;
  int64_t previous = -1;
  bool whole = true;
  bool inOrder = true;
  const auto visit = [&](const CaptureRecord& record) {
    const CaptureRecord expected = recordOf(record.frameNumber);
    whole = whole && record.captureNs == expected.captureNs &&
            record.releaseTimeUs == expected.releaseTimeUs && record.mediaTimeNs == expected.mediaTimeNs &&
            record.transportDropped == expected.transportDropped;
    inOrder = inOrder && previous < record.frameNumber;
    previous = record.frameNumber;
    ++received;
  };
  while (!finished.load(std::memory_order_acquire)) ring.drain(visit);
  producer.join();
  ring.drain(visit);

  EXPECT_TRUE(whole);
  EXPECT_TRUE(inOrder);
  EXPECT_GT(received, 0u);
  EXPECT_EQ(ring.overflowed(), refused);
  EXPECT_EQ(received + refused, kRecords);
}

}  // namespace
}  // namespace whiteline
