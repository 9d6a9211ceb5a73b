#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <deque>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>

#include "native/core/framecode/code_stamper.h"
#include "native/core/pattern/background.h"
#include "native/core/pipeline/frame_metadata.h"
#include "native/core/pipeline/receiver_stream.h"
#include "native/core/platform/error.h"
#include "native/tests/pipeline_fakes.h"
#include "native/tests/test_picture.h"

namespace whiteline::test {
namespace {

constexpr int kWidth = 640;
constexpr int kHeight = 360;

/** What a fake input has to give; outlives it. */
struct Wire {
  struct Item {
    std::optional<OwnedPicture> picture;
    uint32_t fourCc = 0;
    std::string metadata;
    int strideBytes = 0;
  };

  void put(Item item) {
    const std::lock_guard lock(mutex);
    items.push_back(std::move(item));
  }
  std::mutex mutex;
  std::deque<Item> items;
  std::vector<SourceAddress> connectedTo;
  int picturesOut = 0;
};

class FakeInput final : public VideoInput {
 public:
  explicit FakeInput(Wire& wire) : wire_(wire) {}

  Arrival capture(int, IncomingPicture& picture, std::string& metadata) override {
    const std::lock_guard lock(wire_.mutex);
    if (wire_.items.empty()) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
      return Arrival::Nothing;
    }
    current_ = std::move(wire_.items.front());
    wire_.items.pop_front();
    if (!current_.picture) {
      metadata = current_.metadata;
      return Arrival::Metadata;
    }
    ++wire_.picturesOut;
    const PictureView view = current_.picture->view();
    picture = {view.data,
               current_.strideBytes != 0 ? current_.strideBytes : view.strideBytes,
               view.width,
               view.height,
               current_.fourCc,
               {30, 1},
               true,
               kNoTime,
               1234,
               current_.metadata.c_str()};
    return Arrival::Picture;
  }
  void release() override {
    const std::lock_guard lock(wire_.mutex);
    --wire_.picturesOut;
  }
  void connect(const SourceAddress& address) override {
    const std::lock_guard lock(wire_.mutex);
    wire_.connectedTo.push_back(address);
  }
  uint32_t droppedPictures() override { return 17; }
  int connections() override { return 1; }
  int queueDepth() override { return 2; }

 private:
  Wire& wire_;
  Wire::Item current_;
};

Wire::Item codedPicture(uint32_t frameNumber, PixelFormat format = PixelFormat::Uyvy, int width = kWidth) {
  OwnedPicture picture(width, kHeight, format);
  paintNeutralGrid(picture.picture());
  CodeStamper(width, kHeight, format).stamp(picture.picture(), {77, frameNumber, 1000 + frameNumber});
  const uint32_t code = format == PixelFormat::Uyvy ? fourCc('U', 'Y', 'V', 'Y') : fourCc('B', 'G', 'R', 'A');
  return {std::move(picture), code, frameMetadata(5, frameNumber), 0};
}

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
  ReceiverStream receiver(std::make_unique<FakeInput>(wire), nullptr);
  const std::vector<CaptureRecord> records = awaitCaptures(receiver, 5);
  for (uint32_t number = 0; number < 5; ++number) {
    const CaptureRecord& record = records[number];
    EXPECT_EQ(record.status, CodeStatus::Good);
    EXPECT_EQ(record.pictureClass, PictureClass::Coded);
    EXPECT_EQ(record.frameNumber, number);
    EXPECT_EQ(record.sourceId, 77);
    EXPECT_EQ(record.releaseTimeUs, 1000 + number);
    EXPECT_EQ(record.senderId, 5);
    EXPECT_EQ(record.sdkDropped, 17u);
    EXPECT_EQ(record.timestamp100Ns, kNoTime);
    EXPECT_EQ(record.timecode100Ns, 1234);
    EXPECT_GT(record.codeHealth, 0.9f);
  }
  ASSERT_TRUE(eventually([&] { return receiver.status().connections == 1; }));
  const ReceiverStatus status = receiver.status();
  EXPECT_EQ(status.width, kWidth);
  EXPECT_EQ(status.height, kHeight);
  EXPECT_EQ(status.rate.numerator, 30u);
  EXPECT_TRUE(status.progressive);
  EXPECT_EQ(status.fourCc, fourCc('U', 'Y', 'V', 'Y'));
  EXPECT_EQ(status.picturesCaptured, 5u);
  EXPECT_EQ(status.lastCaptureNs, records.back().captureNs);
  EXPECT_EQ(status.sdkQueueDepth, 2);
  receiver.close();
  receiver.close();
  EXPECT_EQ(wire.picturesOut, 0);
}

TEST(ReceiverStream, followsAChangeOfSizeAndFormat) {
  Wire wire;
  wire.put(codedPicture(1));
  wire.put(codedPicture(2, PixelFormat::Bgra));
  wire.put(codedPicture(3, PixelFormat::Uyvy, 320));
  Wire::Item withAlpha = codedPicture(4);
  withAlpha.fourCc = fourCc('U', 'Y', 'V', 'A');
  wire.put(std::move(withAlpha));
  ReceiverStream receiver(std::make_unique<FakeInput>(wire), nullptr);
  uint32_t expected = 0;
  for (const CaptureRecord& record : awaitCaptures(receiver, 4)) {
    EXPECT_EQ(record.status, CodeStatus::Good);
    EXPECT_EQ(record.frameNumber, ++expected);
  }
}

TEST(ReceiverStream, aPictureThatCannotBeReadIsClassified) {
  Wire wire;
  Wire::Item unknownFormat = codedPicture(1);
  unknownFormat.fourCc = fourCc('P', '2', '1', '6');
  wire.put(std::move(unknownFormat));
  Wire::Item shortRows = codedPicture(2);
  shortRows.strideBytes = 10;
  wire.put(std::move(shortRows));
  Wire::Item withoutCode = codedPicture(3);
  withoutCode.metadata = "<whiteline sender=\"99999999\" slot=\"1\"/>";
  withoutCode.picture->fillLuma(0, 0, kWidth, kHeight, 16);
  wire.put(std::move(withoutCode));
  ReceiverStream receiver(std::make_unique<FakeInput>(wire), nullptr);
  const std::vector<CaptureRecord> records = awaitCaptures(receiver, 3);
  for (const CaptureRecord& record : records) {
    EXPECT_EQ(record.status, CodeStatus::Undecodable);
    EXPECT_TRUE(std::isnan(record.codeHealth));
    EXPECT_EQ(record.frameNumber, 0u);
  }
  EXPECT_EQ(records[0].pictureClass, PictureClass::Other);
  EXPECT_EQ(records[1].pictureClass, PictureClass::Other);
  EXPECT_NE(records[2].pictureClass, PictureClass::Coded);
  EXPECT_EQ(records[2].senderId, 0);
}

TEST(ReceiverStream, keepsTheNewestMetadataFrames) {
  Wire wire;
  for (int number = 0; number < 300; ++number)
    wire.put({std::nullopt, 0, "<m n=\"" + std::to_string(number) + "\"/>", 0});
  wire.put(codedPicture(1));
  ReceiverStream receiver(std::make_unique<FakeInput>(wire), nullptr);
  awaitCaptures(receiver, 1);
  const std::vector<std::string> metadata = receiver.takeMetadata();
  ASSERT_EQ(metadata.size(), 256u);
  EXPECT_EQ(metadata.front(), "<m n=\"44\"/>");
  EXPECT_EQ(metadata.back(), "<m n=\"299\"/>");
  EXPECT_TRUE(receiver.takeMetadata().empty());
}

TEST(ReceiverStream, connectsToAnotherAddressAndKeepsCounting) {
  Wire wire;
  wire.put(codedPicture(1));
  ReceiverStream receiver(std::make_unique<FakeInput>(wire), nullptr);
  awaitCaptures(receiver, 1);
  receiver.connect({"MACHINE (name)", "127.0.0.1:5962"});
  ASSERT_TRUE(eventually([&] {
    const std::lock_guard lock(wire.mutex);
    return wire.connectedTo.size() == 1;
  }));
  EXPECT_EQ(wire.connectedTo[0].address, "127.0.0.1:5962");
  wire.put(codedPicture(2));
  awaitCaptures(receiver, 1);
  EXPECT_EQ(receiver.status().picturesCaptured, 2u);
}

TEST(ReceiverStream, makesPreviewsOnlyWhenAsked) {
  Wire wire;
  wire.put(codedPicture(1));
  ReceiverStream receiver(std::make_unique<FakeInput>(wire), nullptr);
  awaitCaptures(receiver, 1);
  EXPECT_FALSE(receiver.preview().newest(0));
  receiver.preview().configure(5, 160);
  for (uint32_t number = 10; number < 20; ++number) wire.put(codedPicture(number));
  awaitCaptures(receiver, 10);
  ASSERT_TRUE(eventually([&] { return receiver.preview().newest(0) != nullptr; }));
  const std::shared_ptr<const Preview> preview = receiver.preview().newest(0);
  EXPECT_EQ(preview->width, 160);
  EXPECT_EQ(preview->height, 90);
  EXPECT_GE(preview->frameNumber, 10u);
  EXPECT_EQ(preview->pixels.size(), 160u * 90u * 4u);
  EXPECT_FALSE(receiver.preview().newest(preview->sequence));
}

TEST(CaptureLog, holdsEveryPictureIndependentOfTheRecords) {
  const std::string path =
      (std::filesystem::temp_directory_path() / ("whiteline-capture-" + std::to_string(monotonicNs())))
          .string();
  Wire wire;
  for (uint32_t number = 0; number < 50; ++number) wire.put(codedPicture(number));
  ReceiverStream receiver(std::make_unique<FakeInput>(wire), std::make_unique<CaptureLog>(path));
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
