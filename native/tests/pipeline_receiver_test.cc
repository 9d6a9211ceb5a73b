#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "native/base/platform/error.h"
#include "native/media/pipeline/receiver_stream.h"
#include "native/tests/pipeline_fake_input.h"
#include "native/tests/pipeline_fakes.h"

namespace whiteline::test {
namespace {

constexpr int kStreamWidth = 640;
constexpr int kStreamHeight = 360;

std::vector<CaptureRecord> awaitCaptures(ReceiverStream& receiver, size_t count) {
  std::vector<CaptureRecord> records;
  EXPECT_TRUE(eventually([&] {
    receiver.captures().drain([&](const CaptureRecord& record) { records.push_back(record); });
    return records.size() >= count;
  }));
  return records;
}

TEST(ReceiverStream, readsEachPictureAndSaysWhereItCameFrom) {
  Wire wire;
  for (uint32_t number = 0; number < 5; ++number) wire.put(codedPicture(number));
  ReceiverStream receiver(std::make_unique<FakeInput>(wire), nullptr, 0);
  const std::vector<CaptureRecord> records = awaitCaptures(receiver, 5);
  for (uint32_t number = 0; number < 5; ++number) {
    const CaptureRecord& record = records[number];
    EXPECT_EQ(record.status, PictureStatus::Good);
    EXPECT_EQ(record.pictureClass, PictureClass::Coded);
    EXPECT_EQ(record.frameNumber, number);
    EXPECT_EQ(record.sourceId, 77);
    EXPECT_EQ(record.releaseTimeUs, 1000 + number);
    EXPECT_EQ(record.senderId, 5);
    EXPECT_EQ(record.transportDropped, 17u);
    EXPECT_EQ(record.sentNs, kNoTime);
    EXPECT_EQ(record.mediaTimeNs, 1234);
    EXPECT_GT(record.codeHealth, 0.9f);
  }
  // A picture is counted a moment after its record is there.
  ASSERT_TRUE(eventually([&] {
    const ReceiverStatus now = receiver.status();
    return now.connections == 1 && now.picturesCaptured == 5;
  }));
  const ReceiverStatus status = receiver.status();
  EXPECT_EQ(status.width, kStreamWidth);
  EXPECT_EQ(status.height, kStreamHeight);
  EXPECT_EQ(status.rate.numerator, 30u);
  EXPECT_EQ(status.frameFormat, FrameFormat::Fields);
  EXPECT_EQ(status.format.view(), "UYVY");
  EXPECT_EQ(status.picturesCaptured, 5u);
  EXPECT_EQ(status.lastCaptureNs, records.back().captureNs);
  EXPECT_EQ(status.transportQueueDepth, 2);
  receiver.close();
  receiver.close();
  EXPECT_EQ(wire.picturesOut, 0);
}

TEST(ReceiverStream, followsAChangeOfSizeAndFormat) {
  Wire wire;
  wire.put(codedPicture(1));
  wire.put(codedPicture(2, PixelFormat::Bgra));
  wire.put(codedPicture(3, PixelFormat::Uyvy, 320));
  Wire::Picture withAlpha = codedPicture(4);
  withAlpha.format.name = "UYVA";
  wire.put(std::move(withAlpha));
  ReceiverStream receiver(std::make_unique<FakeInput>(wire), nullptr, 0);
  uint32_t expected = 0;
  for (const CaptureRecord& record : awaitCaptures(receiver, 4)) {
    EXPECT_EQ(record.status, PictureStatus::Good);
    EXPECT_EQ(record.frameNumber, ++expected);
  }
}

TEST(ReceiverStream, aPictureThatCannotBeReadIsClassified) {
  Wire wire;
  Wire::Picture unknownFormat = codedPicture(1);
  unknownFormat.format = {"P216", std::nullopt};
  wire.put(std::move(unknownFormat));
  Wire::Picture shortRows = codedPicture(2);
  shortRows.strideBytes = 10;
  wire.put(std::move(shortRows));
  Wire::Picture withoutCode = codedPicture(3);
  withoutCode.label.reset();
  withoutCode.picture.fillLuma(0, 0, kStreamWidth, kStreamHeight, 16);
  wire.put(std::move(withoutCode));
  ReceiverStream receiver(std::make_unique<FakeInput>(wire), nullptr, 0);
  const std::vector<CaptureRecord> records = awaitCaptures(receiver, 3);
  for (const CaptureRecord& record : records) {
    EXPECT_EQ(record.status, PictureStatus::Undecodable);
    EXPECT_TRUE(std::isnan(record.codeHealth));
    EXPECT_EQ(record.frameNumber, 0u);
  }
  EXPECT_EQ(records[0].pictureClass, PictureClass::Other);
  EXPECT_EQ(records[1].pictureClass, PictureClass::Other);
  EXPECT_NE(records[2].pictureClass, PictureClass::Coded);
  EXPECT_EQ(records[2].senderId, 0);
}

/** The fuzzer of pictures tries them with every size and stride. */
TEST(ReceiverStream, namesAFormatThatCannotBeRead) {
  for (const char* const name : {"P216", "PA16", "I420", "YV12", "NV12", "\xFF?? "}) {
    Wire wire;
    Wire::Picture picture = codedPicture(1);
    picture.format = {name, std::nullopt};
    wire.put(std::move(picture));
    ReceiverStream receiver(std::make_unique<FakeInput>(wire), nullptr, 0);
    EXPECT_EQ(awaitCaptures(receiver, 1).front().status, PictureStatus::Undecodable);
    ASSERT_TRUE(eventually([&] { return receiver.status().picturesCaptured == 1; }));
    EXPECT_EQ(receiver.status().format.view(), name);
  }
}

TEST(ReceiverStream, keepsTheNewestMetadataFrames) {
  Wire wire;
  for (int number = 0; number < 300; ++number) wire.putSide("<m n=\"" + std::to_string(number) + "\"/>");
  ReceiverStream receiver(std::make_unique<FakeInput>(wire), nullptr, 0);
  ASSERT_TRUE(eventually([&] {
    const std::lock_guard lock(wire.mutex);
    return wire.side.empty();
  }));
  receiver.close();
  const std::vector<std::string> metadata = receiver.takeMetadata();
  ASSERT_EQ(metadata.size(), 256u);
  EXPECT_EQ(metadata.front(), "<m n=\"44\"/>");
  EXPECT_EQ(metadata.back(), "<m n=\"299\"/>");
  EXPECT_TRUE(receiver.takeMetadata().empty());
  EXPECT_EQ(receiver.status().metadataDropped, 44u);
}

TEST(MetadataQueue, hasRoomAgainForWhatWasTaken) {
  MetadataQueue queue;
  for (int round = 0; round < 3; ++round) {
    queue.push(std::string(MetadataQueue::kMostBytes, 'x'));
    EXPECT_EQ(queue.takeAll().size(), 1u);
  }
  EXPECT_EQ(queue.dropped(), 0u);
}

TEST(MetadataQueue, holdsABoundedNumberOfBytes) {
  constexpr size_t kMost = MetadataQueue::kMostBytes;
  MetadataQueue queue;
  queue.push("<first/>");
  queue.push(std::string(kMost - 8, 'x'));
  EXPECT_EQ(queue.dropped(), 0u);
  queue.push("<next/>");
  EXPECT_EQ(queue.dropped(), 1u);
  queue.push(std::string(kMost + 1, 'y'));
  EXPECT_EQ(queue.dropped(), 4u);
  EXPECT_TRUE(queue.takeAll().empty());
  queue.push("<last/>");
  EXPECT_EQ(queue.takeAll(), std::vector<std::string>{"<last/>"});
  EXPECT_EQ(queue.dropped(), 4u);
}

TEST(ReceiverStream, connectsToAnotherAddressAndKeepsCounting) {
  Wire wire;
  wire.put(codedPicture(1));
  ReceiverStream receiver(std::make_unique<FakeInput>(wire), nullptr, 0);
  awaitCaptures(receiver, 1);
  receiver.connect({"MACHINE (name)", "127.0.0.1:5962"});
  ASSERT_TRUE(eventually([&] {
    const std::lock_guard lock(wire.mutex);
    return wire.connectedTo.size() == 1;
  }));
  EXPECT_EQ(wire.connectedTo[0].address, "127.0.0.1:5962");
  wire.put(codedPicture(2));
  awaitCaptures(receiver, 1);
  EXPECT_TRUE(eventually([&] { return receiver.status().picturesCaptured == 2; }));
}

TEST(ReceiverStream, makesPreviewsOnlyWhenAsked) {
  Wire wire;
  wire.put(codedPicture(1));
  ReceiverStream receiver(std::make_unique<FakeInput>(wire), nullptr, 0);
  awaitCaptures(receiver, 1);
  // It is offered for a preview after its record is there.
  const int vainBefore = wire.allVainCaptures();
  ASSERT_TRUE(eventually([&] { return wire.allVainCaptures() > vainBefore; }));
  EXPECT_FALSE(receiver.preview().readNewest(0, [](const Preview&) {}));
  // One at once, and none for minutes after it.
  receiver.preview().configure(0.001, 160);
  for (uint32_t number = 10; number < 20; ++number) wire.put(codedPicture(number));
  awaitCaptures(receiver, 10);
  Preview preview;
  const auto copy = [&](const Preview& newest) { preview = newest; };
  ASSERT_TRUE(eventually([&] { return receiver.preview().readNewest(0, copy); }));
  EXPECT_EQ(preview.width, 160);
  // Its pictures are fields, and have half the lines of what is shown.
  EXPECT_EQ(preview.height, 180);
  EXPECT_EQ(preview.frameNumber, 10u);
  EXPECT_EQ(preview.pixels.size(), 160u * 180u * 4u);
  EXPECT_FALSE(receiver.preview().readNewest(preview.sequence, copy));
}

TEST(ReceiverStream, anInputThatFailsIsNotAskedWithoutPause) {
  Wire wire;
  wire.fails = true;
  const int64_t beginNs = monotonicNs();
  ReceiverStream receiver(std::make_unique<FakeInput>(wire), nullptr, 0);
  const auto failures = [&] {
    const std::lock_guard lock(wire.mutex);
    return wire.failures;
  };
  ASSERT_TRUE(eventually([&] { return failures() >= 5; }));
  const int asked = failures();
  EXPECT_LE(asked, (monotonicNs() - beginNs) / 10'000'000 + 1);
  {
    const std::lock_guard lock(wire.mutex);
    wire.fails = false;
  }
  wire.put(codedPicture(1));
  EXPECT_EQ(awaitCaptures(receiver, 1)[0].frameNumber, 1u);
}

TEST(ReceiverStream, recordsSound) {
  Wire wire;
  for (uint32_t number = 0; number < 5; ++number) {
    wire.putSide(Wire::Sound{std::vector<float>(1600 + number), 48000, FrameLabel{5, number}});
  }
  wire.putSide(Wire::Sound{{}, 44100, std::nullopt});
  ReceiverStream receiver(std::make_unique<FakeInput>(wire), nullptr, 0);
  std::vector<AudioRecord> records;
  ASSERT_TRUE(eventually([&] {
    receiver.sound().drain([&](const AudioRecord& record) { records.push_back(record); });
    return records.size() == 6;
  }));
  receiver.close();
  EXPECT_EQ(wire.soundOut, 0);
  for (uint32_t number = 0; number < 5; ++number) {
    EXPECT_EQ(records[number].frameNumber, number);
    EXPECT_EQ(records[number].samples, 1600 + number);
    EXPECT_EQ(records[number].sampleRate, 48000u);
    EXPECT_EQ(records[number].burstSample, -1);
    EXPECT_GT(records[number].captureNs, 0);
  }
  EXPECT_LT(records[5].frameNumber, 0);
  EXPECT_EQ(records[5].samples, 0u);
}

TEST(ReceiverStream, recordsTheLastSoundWhenItCloses) {
  Wire wire;
  // A burst may begin at the end of the block; the block that would show it never comes.
  std::vector<float> samples(1600);
  samples.back() = 0.1F;
  wire.putSide(Wire::Sound{samples, 48000, FrameLabel{5, 7}});
  wire.putSide(std::string("<behind/>"));
  ReceiverStream receiver(std::make_unique<FakeInput>(wire), nullptr, 0);
  ASSERT_TRUE(eventually([&] { return !receiver.takeMetadata().empty(); }));
  EXPECT_EQ(receiver.sound().size(), 0u);
  receiver.close();
  std::vector<AudioRecord> records;
  receiver.sound().drain([&](const AudioRecord& record) { records.push_back(record); });
  ASSERT_EQ(records.size(), 1u);
  EXPECT_EQ(records[0].frameNumber, 7);
}

TEST(ReceiverStream, asksForTheTimeThoughNothingArrives) {
  constexpr int64_t kOffsetUs = 1'700'000'000'000'000;
  constexpr int64_t kAheadUs = 250'000;
  Wire wire;
  wire.onAsked = [&](const TimeQuestion& question) {
    const TimeAnswer answer{question.id, question.askedUs, question.askedUs + kAheadUs + 3,
                            question.askedUs + kAheadUs + 5};
    TimeAnswer ofAnother = answer;
    ++ofAnother.id;
    wire.putSide(ofAnother);
    wire.putSide(answer);
  };
  ReceiverStream receiver(std::make_unique<FakeInput>(wire), nullptr, kOffsetUs);
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  EXPECT_TRUE(wire.allQuestions().empty());
  const int64_t beginUs = monotonicNs() / 1000 + kOffsetUs;
  receiver.askTime(20);
  std::vector<TimeRecord> records;
  ASSERT_TRUE(eventually([&] {
    receiver.times().drain([&](const TimeRecord& record) { records.push_back(record); });
    return records.size() >= 10;
  }));
  const int64_t endUs = monotonicNs() / 1000 + kOffsetUs;
  std::vector<int64_t> intervalsUs;
  for (size_t index = 0; index < records.size(); ++index) {
    const TimeRecord& record = records[index];
    EXPECT_GE(record.askedUs, beginUs);
    EXPECT_EQ(record.heardUs, record.askedUs + kAheadUs + 3);
    EXPECT_EQ(record.repliedUs, record.askedUs + kAheadUs + 5);
    EXPECT_GE(record.answeredUs, record.askedUs);
    EXPECT_LE(record.answeredUs, endUs);
    if (index == 0) continue;
    intervalsUs.push_back(record.askedUs - records[index - 1].askedUs);
    EXPECT_GE(intervalsUs.back(), 50'000 - 1);
  }
  // A machine under load asks late now and then, but not each time.
  std::sort(intervalsUs.begin(), intervalsUs.end());
  EXPECT_LE(intervalsUs[intervalsUs.size() / 2], 2 * 50'000);
  receiver.askTime(0);
  // A question that was due comes before what is fetched after it.
  wire.putSide(std::string("<after/>"));
  std::vector<std::string> metadata;
  ASSERT_TRUE(eventually([&] { return !(metadata = receiver.takeMetadata()).empty(); }));
  EXPECT_EQ(metadata, std::vector<std::string>{"<after/>"});
  const size_t asked = wire.allQuestions().size();
  std::this_thread::sleep_for(std::chrono::milliseconds(150));
  EXPECT_EQ(wire.allQuestions().size(), asked);
  EXPECT_TRUE(receiver.takeMetadata().empty());
}

/** Each wait that ends without anything costs CPU, so none is shorter than the time to the next block. */
TEST(ReceiverStream, aQuestionThatIsDueDoesNotEndTheWait) {
  Wire wire;
  wire.wait = std::chrono::milliseconds(1000);
  ReceiverStream receiver(std::make_unique<FakeInput>(wire), nullptr, 0);
  receiver.askTime(20);
  ASSERT_TRUE(eventually([&] { return wire.allQuestions().size() >= 3; }));
  receiver.close();
  EXPECT_EQ(wire.timeoutsMs, std::set<int>{90});
}

TEST(ReceiverStream, fetchesNothingWhileItStallsOnQuietMachine) {
  Wire wire;
  // At 30 frames per second: 101 holds for 12 frame periods, 0.4 s.
  for (const uint32_t number : {100u, 101u, 102u, 112u, 113u}) wire.put(codedPicture(number));
  ReceiverStream receiver(std::make_unique<FakeInput>(wire), nullptr, 0);
  receiver.setStalls({{500, 600}});
  awaitCaptures(receiver, 5);
  receiver.setStalls({{101, 112}});
  for (const uint32_t number : {100u, 101u, 102u, 112u, 113u}) wire.put(codedPicture(number));
  const std::vector<CaptureRecord> records = awaitCaptures(receiver, 5);
  EXPECT_LT(records[1].captureNs - records[0].captureNs, 350'000'000);
  EXPECT_EQ(records[2].frameNumber, 102u);
  EXPECT_GE(records[2].captureNs - records[1].captureNs, 400'000'000);
  // It happens once: what the input kept of the range is fetched then.
  EXPECT_LT(records[4].captureNs - records[2].captureNs, 350'000'000);
}

TEST(ReceiverStream, aStallEndsWhenItIsClosedAndConnectsMeanwhileOnQuietMachine) {
  Wire wire;
  wire.put(codedPicture(1));
  ReceiverStream receiver(std::make_unique<FakeInput>(wire), nullptr, 0);
  awaitCaptures(receiver, 1);
  receiver.setStalls({{2, 100'000}});
  wire.put(codedPicture(2));
  awaitCaptures(receiver, 1);
  receiver.connect({"MACHINE (name)", ""});
  ASSERT_TRUE(eventually([&] {
    const std::lock_guard lock(wire.mutex);
    return wire.connectedTo.size() == 1;
  }));
  wire.put(codedPicture(3));
  std::this_thread::sleep_for(std::chrono::milliseconds(150));
  EXPECT_EQ(receiver.status().picturesCaptured, 2u);
  const int64_t beforeNs = monotonicNs();
  receiver.close();
  EXPECT_LT(monotonicNs() - beforeNs, 1'000'000'000);
}

TEST(ReceiverStream, hearsAndAsksWhileItStalls) {
  Wire wire;
  ReceiverStream receiver(std::make_unique<FakeInput>(wire), nullptr, 0);
  receiver.setStalls({{1, 100'000}});
  wire.put(codedPicture(1));
  awaitCaptures(receiver, 1);
  wire.putSide(Wire::Sound{std::vector<float>(1600), 48000, std::nullopt});
  wire.put(codedPicture(2));
  receiver.askTime(20);
  ASSERT_TRUE(eventually([&] { return receiver.sound().size() == 1 && wire.allQuestions().size() >= 3; }));
  EXPECT_EQ(receiver.status().picturesCaptured, 1u);
}

TEST(CaptureLog, holdsEveryPictureIndependentOfTheRecords) {
  const std::string path =
      (std::filesystem::temp_directory_path() / ("whiteline-capture-" + std::to_string(monotonicNs())))
          .string();
  Wire wire;
  for (uint32_t number = 0; number < 50; ++number) wire.put(codedPicture(number));
  ReceiverStream receiver(std::make_unique<FakeInput>(wire), std::make_unique<CaptureLog>(path), 0);
  const std::vector<CaptureRecord> records = awaitCaptures(receiver, 50);
  // It reaches the file while the receiver goes on.
  ASSERT_TRUE(eventually([&] {
    std::ifstream file(path);
    return std::count(std::istreambuf_iterator<char>(file), {}, '\n') == 50;
  }));
  receiver.close();
  std::ifstream file(path);
  for (const CaptureRecord& record : records) {
    int64_t captureNs = 0;
    unsigned sourceId = 0, frameNumber = 0, status = 9, senderId = 0;
    ASSERT_TRUE(file >> captureNs >> sourceId >> frameNumber >> status >> senderId);
    EXPECT_EQ(captureNs, record.captureNs);
    EXPECT_EQ(sourceId, record.sourceId);
    EXPECT_EQ(frameNumber, record.frameNumber);
    EXPECT_EQ(status, static_cast<unsigned>(record.status));
    EXPECT_EQ(senderId, record.senderId);
  }
  file.close();
  std::filesystem::remove(path);
}

CaptureRecord captured(uint32_t frameNumber) {
  CaptureRecord record{};
  record.captureNs = 1'000'000'000;
  record.frameNumber = frameNumber;
  return record;
}

constexpr int64_t kDueNs = 1'000'000'000;

#if !defined(_WIN32)
TEST(CaptureLog, aDiskThatIsFullEndsItAndSaysWhatItLacks) {
  if (!std::filesystem::exists("/dev/full")) GTEST_SKIP() << "no /dev/full on this system";
  auto log = std::make_unique<CaptureLog>("/dev/full");
  const std::shared_ptr<CaptureLogState> state = log->state();
  for (uint32_t number = 0; number < 9; ++number) log->write(captured(number));
  EXPECT_EQ(state->read().missing, 0u);
  log->flushWhenDue(kDueNs);
  EXPECT_EQ(state->read().missing, 9u);
  EXPECT_EQ(state->read().why, "No space left on device");
  for (uint32_t number = 9; number < 20; ++number) log->write(captured(number));
  EXPECT_EQ(state->read().missing, 20u);
  EXPECT_FALSE(state->read().isEnded);
  log.reset();
  EXPECT_TRUE(state->read().isEnded);
  EXPECT_EQ(state->read().missing, 20u);
}

TEST(CaptureLog, theLastLinesAreMissedToo) {
  if (!std::filesystem::exists("/dev/full")) GTEST_SKIP() << "no /dev/full on this system";
  Wire wire;
  for (uint32_t number = 0; number < 5; ++number) wire.put(codedPicture(number));
  ReceiverStream receiver(std::make_unique<FakeInput>(wire), std::make_unique<CaptureLog>("/dev/full"), 0);
  awaitCaptures(receiver, 5);
  const std::shared_ptr<ReceiverRecords> records = receiver.sharedRecords();
  receiver.close();
  const CaptureLogState::Values values = records->log->read();
  EXPECT_EQ(values.missing, 5u);
  EXPECT_TRUE(values.isEnded);
}
#endif

TEST(CaptureLog, growsToItsLimitAndHasNoLineThatIsCut) {
  const std::string path =
      (std::filesystem::temp_directory_path() / ("whiteline-limit-" + std::to_string(monotonicNs())))
          .string();
  // "1000000000 0 1 0 0\n"
  constexpr uint64_t kLine = 19;
  std::ofstream(path, std::ios::binary) << std::string(kLine, '\n');
  auto log = std::make_unique<CaptureLog>(path, 4 * kLine - 1);
  const std::shared_ptr<CaptureLogState> state = log->state();
  for (uint32_t number = 1; number < 9; ++number) log->write(captured(number));
  EXPECT_EQ(state->read().missing, 6u);
  EXPECT_EQ(state->read().why, "it may have no more than 75 bytes");
  log.reset();
  EXPECT_EQ(std::filesystem::file_size(path), 3 * kLine);
  std::filesystem::remove(path);
}

TEST(CaptureLog, aFileThatCannotBeMadeIsAnError) {
  try {
    CaptureLog log("/no/such/folder/log");
    FAIL() << "expected an error";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), "INVALID_ARGUMENT");
    EXPECT_NE(std::string(error.what()).find("captureLogPath"), std::string::npos);
  }
}

}  // namespace
}  // namespace whiteline::test
