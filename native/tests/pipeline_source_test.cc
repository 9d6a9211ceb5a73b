#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "native/base/platform/error.h"
#include "native/media/framecode/white_line.h"
#include "native/tests/pipeline_fakes.h"

namespace whiteline::test {
namespace {

std::vector<SourceRecord> firstRecords(Source& source, size_t count) {
  std::vector<SourceRecord> records;
  EXPECT_TRUE(eventually([&] {
    source.records().drain([&](const SourceRecord& record) { records.push_back(record); });
    return records.size() >= count;
  }));
  return records;
}

TEST(Source, everySlotIsRecordedOnceAndInOrderOnItsExactTimeOnQuietMachine) {
  SourceOptions options = smallSource();
  options.rate = {60000, 1001};
  Source source(options);
  const std::vector<SourceRecord> records = firstRecords(source, 40);
  const SourceStatus status = source.status();
  EXPECT_EQ(status.state, SourceState::Running);
  EXPECT_EQ(status.commandProcessId, 0);
  const Schedule schedule(status.startNs, options.rate);
  for (size_t index = 0; index < records.size(); ++index) {
    const SourceRecord& record = records[index];
    EXPECT_EQ(record.frameNumber, index);
    EXPECT_EQ(record.slotNs, schedule.slotTimeNs(index));
    EXPECT_EQ(record.lateCause, LateCause::None);
    if (record.state == SlotState::Skipped) {
      EXPECT_EQ(record.releaseNs, 0);
    } else {
      EXPECT_EQ(record.state, SlotState::Released);
      EXPECT_GE(record.releaseNs, record.slotNs);
      EXPECT_LT(record.releaseNs, schedule.deadlineNs(index));
    }
  }
  source.close();
  EXPECT_EQ(source.status().state, SourceState::Closed);
  source.close();
}

TEST(Source, showsTheWhiteLineOfItsSlotAndTheWallTime) {
  constexpr int64_t kWallOffsetUs = 1'600'000'000'000'000;
  SourceOptions options = smallSource();
  options.wallOffsetUs = kWallOffsetUs;
  auto source = std::make_shared<Source>(options);
  auto mailbox = std::make_shared<Mailbox>(16);
  source->attach(mailbox);
  std::optional<Mailbox::Claim> claim;
  ASSERT_TRUE(
      eventually([&] { return (claim = mailbox->claim(std::chrono::milliseconds(100))).has_value(); }));
  const Picture& picture = claim->frame->picture();
  const auto slot = static_cast<uint32_t>(claim->frame->slot);
  const WhiteLine line = whiteLineAt(slot, options.width, options.rate);
  const uint8_t* middle = rowOf(picture, options.height / 2 + 7);
  for (int x = line.left; x < line.left + line.width; ++x) EXPECT_EQ(middle[2 * x + 1], 235) << x;
  const CodeReading reading = CodeReader(options.width, options.height, options.pixelFormat).read(picture);
  EXPECT_EQ(reading.status, PictureStatus::Good);
  EXPECT_EQ(claim->frame->releaseTimeUs % (int64_t{1} << 48),
            static_cast<int64_t>(reading.code.releaseTimeUs));
  const int64_t ageUs = monotonicNs() / 1000 + kWallOffsetUs - claim->frame->releaseTimeUs;
  EXPECT_GE(ageUs, 0);
  EXPECT_LT(ageUs, 10'000'000);
}

TEST(Source, idsAreUniqueAndNeverZero) {
  std::vector<std::unique_ptr<Source>> sources;
  std::set<uint16_t> ids;
  for (int index = 0; index < 20; ++index) {
    sources.push_back(std::make_unique<Source>(smallSource(SourceKind::WhiteLine, 1)));
    ids.insert(sources.back()->sourceId());
  }
  EXPECT_EQ(ids.size(), 20u);
  EXPECT_EQ(ids.count(0), 0u);
}

TEST(Source, takesTheIdThatItIsGivenUnlessAnotherHasIt) {
  SourceOptions options = smallSource(SourceKind::WhiteLine, 1);
  options.sourceId = 4711;
  auto source = std::make_unique<Source>(options);
  EXPECT_EQ(source->sourceId(), 4711);
  EXPECT_THROW(std::make_unique<Source>(options), Error);
  source.reset();
  const Source again(options);
  EXPECT_EQ(again.sourceId(), 4711);
}

TEST(Source, closesAtOnceEvenWhenItsSlotsAreFarApart) {
  SourceOptions options = smallSource();
  options.rate = {1, 60};
  Source source(options);
  ASSERT_TRUE(eventually([&] { return source.status().state == SourceState::Running; }));
  const int64_t beginNs = monotonicNs();
  source.close();
  EXPECT_LT(monotonicNs() - beginNs, 5'000'000'000);
}

TEST(Source, leavesNothingButItsRecords) {
  const uint64_t before = PageMemory::use().bytesHeld;
  SourceOptions options = smallSource(SourceKind::Noise);
  options.width = 1280;
  options.height = 720;
  auto source = std::make_shared<Source>(options);
  const std::shared_ptr<RecordRing<SourceRecord>> records = source->sharedRecords();
  SentFrames sent;
  auto sender = std::make_unique<SenderStream>(source, std::make_unique<FakeOutput>(sent), 1);
  const std::shared_ptr<SenderRecords> settled = sender->sharedRecords();
  ASSERT_TRUE(eventually([&] { return settled->submits.size() >= 5; }));
  EXPECT_GE(PageMemory::use().bytesHeld - before, 2 * pictureBytes(1280, 720, PixelFormat::Uyvy));
  source->close();
  sender->close();
  source.reset();
  sender.reset();

  EXPECT_EQ(PageMemory::use().bytesHeld, before);
  EXPECT_LE(records->capacity(), 2 * records->size());
  EXPECT_LE(settled->submits.capacity(), 2 * settled->submits.size());
  EXPECT_LE(settled->misses().capacity(), std::max<size_t>(1, 2 * settled->misses().size()));
  EXPECT_GE(drained(*records).size(), drained(settled->submits).size());
}

TEST(Source, aRateThatNobodyCanKeepSkipsSlotsAndSettlesThemAll) {
  SourceOptions options = smallSource(SourceKind::Noise);
  options.width = 3840;
  options.height = 2160;
  // The records of two seconds have room: so long this machine may stand still.
  options.rate = {4000, 1};
  auto source = std::make_shared<Source>(options);
  SentFrames sent;
  SenderStream sender(source, std::make_unique<FakeOutput>(sent), 1);
  std::vector<SubmitRecord> submits;
  std::vector<MissRecord> misses;
  std::vector<SourceRecord> slots;
  ASSERT_TRUE(eventually([&] {
    source->records().drain([&](const SourceRecord& record) { slots.push_back(record); });
    sender.submits().drain([&](const SubmitRecord& record) { submits.push_back(record); });
    sender.misses().drain([&](const MissRecord& record) { misses.push_back(record); });
    return slots.size() >= 1500;
  }));
  const Schedule schedule(source->status().startNs, options.rate);
  source->close();
  sender.close();
  source->records().drain([&](const SourceRecord& record) { slots.push_back(record); });
  sender.submits().drain([&](const SubmitRecord& record) { submits.push_back(record); });
  sender.misses().drain([&](const MissRecord& record) { misses.push_back(record); });
  ASSERT_EQ(source->records().overflowed() + sender.misses().overflowed(), 0u);

  const auto counts = settledCounts(submits, misses);
  for (size_t index = 0; index < slots.size(); ++index) {
    const SourceRecord& slot = slots[index];
    ASSERT_EQ(slot.frameNumber, index);
    if (slot.state == SlotState::Skipped) {
      EXPECT_EQ(slot.releaseNs, 0);
    } else {
      EXPECT_LT(slot.releaseNs, schedule.deadlineNs(index));
    }
    if (slot.frameNumber < sender.firstSlot()) continue;
    const auto settled = counts.find(slot.frameNumber);
    ASSERT_NE(settled, counts.end()) << slot.frameNumber;
    EXPECT_EQ(settled->second, 1) << slot.frameNumber;
  }
  EXPECT_FALSE(misses.empty());
}

}  // namespace
}  // namespace whiteline::test
