// What senders and receivers make of each other over a transport that is not NDI.

#include "native/media/pipeline/transport.h"

#include <gtest/gtest.h>

#include <chrono>
#include <iterator>
#include <map>
#include <set>
#include <vector>

#include "native/base/platform/error.h"
#include "native/media/pipeline/receiver_stream.h"
#include "native/tests/mishaps.h"
#include "native/tests/pipeline_fakes.h"
#include "native/transports/memory/memory_transport.h"

namespace whiteline::test {
namespace {

constexpr uint16_t kSenderId = 9;
/** More than any test sends. */
constexpr size_t kNeverFull = 100'000;

MemoryTransportOptions pathOf(Mishaps& mishaps) {
  return {.queueLength = kNeverFull, .path = [&mishaps](uint32_t submit, MemoryPicture& picture) {
            return mishaps.meet(submit, picture);
          }};
}

/** A sender and a receiver, connected before the first frame. */
class Line {
 public:
  explicit Line(MemoryTransport& transport, SenderExtras extras = {}, uint32_t framesPerSecond = 100)
      : source_(std::make_shared<Source>(smallSource(SourceKind::WhiteLine, framesPerSecond))) {
    std::unique_ptr<VideoOutput> output = transport.makeOutput("line");
    receiver_ = std::make_unique<ReceiverStream>(transport.makeInput({output->name(), ""}, "transport_test"),
                                                 nullptr, 0);
    sender_ = std::make_unique<SenderStream>(source_, std::move(output), kSenderId, extras);
  }
  ~Line() { source_->close(); }

  Source& source() { return *source_; }
  SenderStream& sender() { return *sender_; }
  ReceiverStream& receiver() { return *receiver_; }

  void awaitSubmits(size_t count) {
    ASSERT_TRUE(eventually([&] { return sender_->submits().size() >= count; }));
  }
  /** Ends the sender; what is on its way arrives still. The slots that it submitted. */
  std::vector<uint32_t> end() {
    sender_->close();
    std::vector<uint32_t> slots;
    for (const SubmitRecord& submit : drained(sender_->submits())) slots.push_back(submit.frameNumber);
    return slots;
  }
  std::map<uint32_t, CaptureRecord> captured() {
    std::map<uint32_t, CaptureRecord> captures;
    for (const CaptureRecord& capture : drained(receiver_->captures())) {
      captures.emplace(capture.frameNumber, capture);
    }
    return captures;
  }

 private:
  std::shared_ptr<Source> source_;
  std::unique_ptr<ReceiverStream> receiver_;
  std::unique_ptr<SenderStream> sender_;
};

TEST(Transport, eachFrameIsFollowedAndEachMishapIsFound) {
  constexpr std::chrono::milliseconds kDelay(80);
  // In a picture this small the white line moves by less than its own width from 40 frames a second on, so
  // that not each tear between two of them shows.
  constexpr uint32_t kFramesPerSecond = 25;
  Mishaps mishaps;
  MemoryTransport transport(pathOf(mishaps));
  const std::set<uint32_t> dropped{40, 41, 60};
  for (const uint32_t submit : dropped) mishaps.plan(submit, {Mishap::Kind::Drop});
  mishaps.plan(50, {Mishap::Kind::Tear});
  mishaps.plan(55, {Mishap::Kind::LoseRows});
  mishaps.plan(70, {Mishap::Kind::Delay, kDelay});
  Line line(transport, {}, kFramesPerSecond);
  line.awaitSubmits(100);
  const std::vector<uint32_t> submitted = line.end();
  std::set<uint32_t> expected;
  for (uint32_t submit = 0; submit < submitted.size(); ++submit) {
    if (!dropped.contains(submit)) expected.insert(submitted[submit]);
  }
  ASSERT_TRUE(eventually([&] { return line.receiver().captures().size() >= expected.size(); }));
  line.receiver().close();
  const std::map<uint32_t, CaptureRecord> captures = line.captured();
  std::set<uint32_t> arrived;
  int64_t lastCaptureNs = 0;
  for (const auto& [slot, record] : captures) {
    arrived.insert(slot);
    EXPECT_EQ(record.status, slot == submitted.at(50)   ? PictureStatus::Torn
                             : slot == submitted.at(55) ? PictureStatus::Damaged
                                                        : PictureStatus::Good)
        << slot;
    EXPECT_EQ(record.sourceId, line.source().sourceId());
    EXPECT_EQ(record.senderId, kSenderId);
    EXPECT_EQ(record.mediaTimeNs, static_cast<int64_t>(record.releaseTimeUs) * 1000);
    EXPECT_EQ(record.sentNs, kNoTime);
    EXPECT_EQ(record.transportDropped, 0u);
    EXPECT_GT(record.captureNs, lastCaptureNs) << "in order";
    lastCaptureNs = record.captureNs;
  }
  EXPECT_EQ(arrived, expected);
  const CaptureRecord& late = captures.at(submitted.at(70));
  EXPECT_GE(late.captureNs / 1000 - static_cast<int64_t>(late.releaseTimeUs),
            kDelay / std::chrono::microseconds(1));
}

TEST(Transport, whatIsNotFetchedInTimeIsCounted) {
  constexpr size_t kQueueLength = 4;
  MemoryTransport transport({.queueLength = kQueueLength});
  Line line(transport);
  // One after the other until one lasts long enough: a machine that is held up may begin one late, or send
  // little in it.
  std::vector<FrameRange> stalls;
  for (uint32_t first = 20; first < 4000; first += 80) stalls.push_back({first, first + 60});
  line.receiver().setStalls(stalls);
  ASSERT_TRUE(eventually([&] { return line.receiver().status().transportDropped.value() > 0; }));
  line.awaitSubmits(150);
  const std::vector<uint32_t> submitted = line.end();
  const auto isThrough = [&] {
    return line.receiver().captures().size() + line.receiver().status().transportDropped.value() ==
           submitted.size();
  };
  EXPECT_TRUE(eventually(isThrough));
  line.receiver().close();
  uint32_t droppedSoFar = 0;
  for (const auto& [slot, record] : line.captured()) {
    EXPECT_GE(record.transportDropped, droppedSoFar);
    droppedSoFar = record.transportDropped;
  }
}

TEST(Transport, whatItDoesNotCountIsNotKnown) {
  MemoryTransport transport({.queueLength = kNeverFull, .countsDrops = false});
  Line line(transport);
  EXPECT_EQ(line.receiver().status().transportDropped, std::nullopt);
  EXPECT_EQ(line.receiver().status().transportQueueDepth, 0);
  EXPECT_EQ(line.sender().connections(), 1);
  ASSERT_TRUE(eventually([&] { return line.receiver().captures().size() >= 5; }));
  line.receiver().close();
  EXPECT_EQ(line.receiver().status().transportDropped, std::nullopt);
  for (const CaptureRecord& capture : drained(line.receiver().captures())) {
    EXPECT_EQ(capture.transportDropped, kUnknownCount);
  }
}

TEST(Transport, listsItsSenders) {
  MemoryTransport transport({.queueLength = kNeverFull});
  const auto finder = transport.makeFinder({});
  EXPECT_TRUE(finder->sources().empty());
  const auto output = transport.makeOutput("one");
  ASSERT_EQ(finder->sources().size(), 1u);
  EXPECT_EQ(finder->sources().front().name, output->name());
  EXPECT_THROW(transport.makeOutput("one"), Error);
}

TEST(Transport, eachReceiverThatComesIsCounted) {
  MemoryTransport transport({.queueLength = kNeverFull});
  Line line(transport, {.answerTime = true});
  EXPECT_TRUE(eventually([&] { return line.sender().arrivals() == 1u; }));
  const auto another = transport.makeInput({"memory/line", ""}, "another");
  EXPECT_TRUE(eventually([&] { return line.sender().arrivals() == 2u; }));
  line.receiver().connect({"memory/line", ""});
  EXPECT_TRUE(eventually([&] { return line.sender().arrivals() == 3u; }));
}

TEST(Transport, carriesSoundTextsAndTheTime) {
  MemoryTransport transport({.queueLength = kNeverFull});
  Line line(transport, {.audio = true, .answerTime = true});
  line.receiver().askTime(20);
  line.sender().sendMetadata("<hello/>");
  ASSERT_TRUE(eventually([&] { return line.receiver().times().size() >= 3; }));
  line.awaitSubmits(30);
  const std::vector<uint32_t> submitted = line.end();
  ASSERT_TRUE(eventually([&] { return line.receiver().sound().size() >= submitted.size() - 1; }));
  line.receiver().close();
  std::set<uint32_t> heard;
  for (const AudioRecord& record : drained(line.receiver().sound())) {
    EXPECT_EQ(record.samples, 480u);
    EXPECT_EQ(record.sampleRate, 48'000u);
    heard.insert(static_cast<uint32_t>(record.frameNumber));
  }
  // The last one may not have been fetched.
  heard.erase(*submitted.rbegin());
  EXPECT_EQ(heard, std::set<uint32_t>(submitted.begin(), std::prev(submitted.end())));
  EXPECT_EQ(line.receiver().takeMetadata(), std::vector<std::string>{"<hello/>"});
  for (const TimeRecord& record : drained(line.receiver().times())) {
    EXPECT_LE(record.askedUs, record.heardUs);
    EXPECT_LE(record.heardUs, record.repliedUs);
    EXPECT_LE(record.repliedUs, record.answeredUs);
  }
}

TEST(Transport, aFormatThatIsNotDecodedIsNamed) {
  Mishaps mishaps;
  MemoryTransport transport(pathOf(mishaps));
  for (uint32_t slot = 0; slot < 1000; ++slot) mishaps.plan(slot, {Mishap::Kind::Recode});
  Line line(transport);
  ASSERT_TRUE(eventually([&] { return line.receiver().captures().size() >= 5; }));
  EXPECT_EQ(line.receiver().status().format.view(), Mishaps::kForeignFormat);
  line.receiver().close();
  for (const CaptureRecord& record : drained(line.receiver().captures())) {
    EXPECT_EQ(record.status, PictureStatus::Undecodable);
    EXPECT_EQ(record.senderId, kSenderId);
  }
}

TEST(Transport, aReceiverGoesOverToAnotherSender) {
  MemoryTransport transport({.queueLength = kNeverFull});
  Line line(transport);
  auto other = std::make_shared<Source>(smallSource());
  std::unique_ptr<VideoOutput> output = transport.makeOutput("other");
  const std::string name = output->name();
  SenderStream otherSender(other, std::move(output), 10);
  ASSERT_TRUE(eventually([&] { return line.receiver().captures().size() >= 5; }));
  line.receiver().connect({name, ""});
  std::vector<CaptureRecord> records;
  ASSERT_TRUE(eventually([&] {
    line.receiver().captures().drain([&](const CaptureRecord& record) { records.push_back(record); });
    return !records.empty() && records.back().sourceId == other->sourceId();
  }));
  EXPECT_EQ(records.front().sourceId, line.source().sourceId());
  EXPECT_EQ(records.front().senderId, kSenderId);
  EXPECT_EQ(records.back().senderId, 10);
  // A picture is counted a moment after its record is there.
  EXPECT_TRUE(eventually([&] { return line.receiver().status().picturesCaptured >= records.size(); }));
  EXPECT_TRUE(eventually([&] { return line.sender().connections() == 0 && otherSender.connections() == 1; }));
  otherSender.close();
  other->close();
}

TEST(Transport, refusesWhatItDoesNotCarry) {
  const TransportCapabilities picturesOnly{.sound = false, .time = false};
  EXPECT_NO_THROW(checkExtras({}, picturesOnly));
  EXPECT_NO_THROW(checkExtras({.audio = true, .answerTime = true}, {.sound = true, .time = true}));
  for (const auto& [extras, field] : {std::pair{SenderExtras{.audio = true}, "for audio"},
                                      std::pair{SenderExtras{.answerTime = true}, "for answerTime"}}) {
    try {
      checkExtras(extras, picturesOnly);
      FAIL() << "expected an error";
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), "INVALID_ARGUMENT");
      EXPECT_NE(std::string(error.what()).find(field), std::string::npos);
    }
  }
}

}  // namespace
}  // namespace whiteline::test
