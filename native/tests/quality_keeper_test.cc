#include <gtest/gtest.h>

#if !defined(_WIN32)
#include <sys/stat.h>
#endif

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "native/media/pipeline/receiver_stream.h"
#include "native/media/quality/picture_keeper.h"
#include "native/tests/pipeline_fake_input.h"
#include "native/tests/pipeline_fakes.h"
#include "native/tests/scratch_folder.h"

namespace whiteline::test {
namespace {

constexpr int kKeptWidth = 320;
constexpr int kKeptHeight = 180;

class Keeping : public testing::Test {
 protected:
  KeeperOptions options(std::vector<uint32_t> frames) const {
    return {folder_.path().string(), kKeptWidth, kKeptHeight, std::move(frames), 77};
  }
  std::string file(StreamEnd end, uint32_t frame) const {
    return pictureFile(folder_.path().string(), end, frame);
  }
  size_t files() const {
    const std::filesystem::directory_iterator all(folder_.path());
    return static_cast<size_t>(std::distance(begin(all), end(all)));
  }
  std::vector<uint8_t> bytesOf(StreamEnd end, uint32_t frame) const {
    std::ifstream stream(file(end, frame), std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
  }

  const ScratchFolder folder_;
};

OwnedPicture randomPicture(uint32_t seed, int paddingBytes = 0) {
  OwnedPicture picture(kKeptWidth, kKeptHeight, PixelFormat::Uyvy, paddingBytes);
  picture.fillRandom(seed);
  return picture;
}

bool isIdle(const PictureKeeper& keeper) {
  return keeper.status().waiting == 0;
}

TEST_F(Keeping, chosenFramesBecomeFilesAndAreRemovedAtTheEnd) {
  PictureKeeper keeper(options({7, 5}), StreamEnd::Sent);
  for (uint32_t frame = 4; frame < 9; ++frame) {
    keeper.offer(frame, randomPicture(frame, 16).view());
    ASSERT_TRUE(eventually([&] { return isIdle(keeper); }));
  }
  // A duplicate changes nothing.
  keeper.offer(5, randomPicture(99).view());
  EXPECT_EQ(keeper.status().written, (std::vector<uint32_t>{5, 7}));
  EXPECT_TRUE(keeper.status().skipped.empty());
  EXPECT_EQ(files(), 2u);
  EXPECT_EQ(bytesOf(StreamEnd::Sent, 5), randomPicture(5).bytes());
  EXPECT_EQ(bytesOf(StreamEnd::Sent, 7), randomPicture(7).bytes());
  keeper.close();
  keeper.close();
  EXPECT_EQ(files(), 0u);
  keeper.offer(7, randomPicture(7).view());
  EXPECT_EQ(files(), 0u);
}

TEST_F(Keeping, aPictureOfAnotherSizeOrFormatIsToldAndLeftOut) {
  PictureKeeper keeper(options({1, 2}), StreamEnd::Received);
  keeper.offer(1, OwnedPicture(kKeptWidth + 2, kKeptHeight, PixelFormat::Uyvy).view());
  keeper.offer(2, OwnedPicture(kKeptWidth, kKeptHeight, PixelFormat::Bgra).view());
  const KeptPictures status = keeper.status();
  ASSERT_EQ(status.skipped.size(), 2u);
  EXPECT_EQ(status.skipped[0].frameNumber, 1u);
  EXPECT_EQ(status.skipped[0].why, "it is of another size or format");
  EXPECT_EQ(files(), 0u);
}

TEST_F(Keeping, whatCannotBeWrittenIsToldWithTheReason) {
  KeeperOptions elsewhere = options({3});
  elsewhere.folder += "/not-there";
  PictureKeeper keeper(elsewhere, StreamEnd::Sent);
  keeper.offer(3, randomPicture(3).view());
  ASSERT_TRUE(eventually([&] { return isIdle(keeper); }));
  ASSERT_EQ(keeper.status().skipped.size(), 1u);
  EXPECT_NE(keeper.status().skipped[0].why.find("No such file"), std::string::npos);
}

#if !defined(_WIN32)
TEST_F(Keeping, aFullDiskLeavesNoPartOfAPicture) {
  if (!std::filesystem::exists("/dev/full")) GTEST_SKIP() << "no /dev/full on this system";
  std::filesystem::create_symlink("/dev/full", file(StreamEnd::Sent, 3));
  PictureKeeper keeper(options({3}), StreamEnd::Sent);
  keeper.offer(3, randomPicture(3).view());
  ASSERT_TRUE(eventually([&] { return isIdle(keeper); }));
  ASSERT_EQ(keeper.status().skipped.size(), 1u);
  EXPECT_NE(keeper.status().skipped[0].why.find("No space left"), std::string::npos);
  EXPECT_EQ(files(), 0u);
}

TEST_F(Keeping, aDiskThatDoesNotKeepUpCostsPicturesAndHoldsNobodyUp) {
  // A pipe without a reader stands for the disk.
  ASSERT_EQ(mkfifo(file(StreamEnd::Sent, 0).c_str(), 0600), 0);
  std::vector<uint32_t> frames;
  for (uint32_t frame = 0; frame < 8; ++frame) frames.push_back(frame);
  PictureKeeper keeper(options(frames), StreamEnd::Sent);
  for (const uint32_t frame : frames) keeper.offer(frame, randomPicture(frame).view());
  const KeptPictures status = keeper.status();
  EXPECT_EQ(status.waiting, 3u);
  ASSERT_EQ(status.skipped.size(), 5u);
  EXPECT_EQ(status.skipped[0].why, "the disk did not keep up");
  EXPECT_EQ(bytesOf(StreamEnd::Sent, 0), randomPicture(0).bytes());
  ASSERT_TRUE(eventually([&] { return isIdle(keeper); }));
  EXPECT_EQ(keeper.status().written, (std::vector<uint32_t>{0, 1, 2}));
}
#endif

TEST_F(Keeping, aSenderKeepsWhatItSubmitted) {
  auto source = std::make_shared<Source>(smallSource());
  SentFrames sent;
  SenderStream sender(source, std::make_unique<FakeOutput>(sent), 1);
  ASSERT_TRUE(eventually([&] { return sent.all().size() > 2; }));
  // A sender without CPU leaves frames out, a busy disk costs pictures, and this thread may be held up.
  const uint32_t first = static_cast<uint32_t>(sent.all().back().slot) + 20;
  std::vector<uint32_t> frames;
  for (uint32_t frame = first; frame < first + 2000; frame += 4) frames.push_back(frame);
  KeeperOptions wanted = options(frames);
  wanted.sourceId = source->sourceId();
  const auto keeper = std::make_shared<PictureKeeper>(wanted, StreamEnd::Sent);
  sender.keeperPlace().put(keeper);
  // The frame under way may have passed before the keeper came.
  const uint64_t placedAfter = sent.all().back().slot + 1;
  const auto hasKept = [&] {
    const std::vector<uint32_t> written = keeper->status().written;
    return std::ranges::count_if(written, [&](uint32_t number) { return number > placedAfter; }) >= 5;
  };
  ASSERT_TRUE(eventually(hasKept));
  const KeptPictures kept = keeper->status();
  // Pictures are written in their order: none before this one is still on its way.
  const uint32_t last = kept.written.back();
  ASSERT_TRUE(eventually([&] { return sent.all().back().slot > last; }));

  std::vector<uint32_t> submitted;
  for (const auto& frame : sent.all()) {
    const auto number = static_cast<uint32_t>(frame.slot);
    if (std::ranges::find(frames, number) != frames.end()) submitted.push_back(number);
  }
  std::vector<uint32_t> accounted = kept.written;
  for (const auto& skipped : kept.skipped) {
    EXPECT_EQ(skipped.why, "the disk did not keep up");
    accounted.push_back(skipped.frameNumber);
  }
  std::ranges::sort(accounted);
  for (auto* numbers : {&accounted, &submitted}) {
    std::erase_if(*numbers, [&](uint32_t number) { return number <= placedAfter || number > last; });
  }
  EXPECT_EQ(accounted, submitted);

  OwnedPicture picture(kKeptWidth, kKeptHeight, PixelFormat::Uyvy);
  for (const uint32_t frame : kept.written) {
    picture.bytes() = bytesOf(StreamEnd::Sent, frame);
    const CodeReading reading = CodeReader(kKeptWidth, kKeptHeight, PixelFormat::Uyvy).read(picture.view());
    EXPECT_EQ(reading.status, PictureStatus::Good);
    EXPECT_EQ(reading.code.frameNumber, frame);
    EXPECT_EQ(reading.code.sourceId, source->sourceId());
  }
  sender.close();
  EXPECT_EQ(files(), 0u);
  source->close();
}

TEST_F(Keeping, aReceiverKeepsGoodPicturesOfItsSourceAlone) {
  constexpr int kCodedWidth = 640;
  constexpr int kCodedHeight = 360;
  Wire wire;
  const auto put = [&](uint16_t sourceId, uint32_t frame, bool isDamaged) {
    Wire::Picture coded = codedPicture(frame);
    CodeStamper(kCodedWidth, kCodedHeight, PixelFormat::Uyvy)
        .stamp(coded.picture.picture(), {sourceId, frame, 5});
    if (isDamaged) coded.picture.fillLuma(0, 0, kCodedWidth, 30, 16);
    wire.put(std::move(coded));
  };
  KeeperOptions wanted = options({1, 2, 3});
  wanted.width = kCodedWidth;
  wanted.height = kCodedHeight;
  ReceiverStream receiver(std::make_unique<FakeInput>(wire), nullptr, 0);
  receiver.keeperPlace().put(std::make_shared<PictureKeeper>(wanted, StreamEnd::Received));
  put(78, 1, false);
  put(77, 2, true);
  put(77, 3, false);
  put(77, 4, false);
  ASSERT_TRUE(eventually([&] { return receiver.status().picturesCaptured == 4; }));
  ASSERT_TRUE(eventually([&] { return receiver.keeperPlace().keeper()->status().waiting == 0; }));
  EXPECT_EQ(receiver.keeperPlace().keeper()->status().written, (std::vector<uint32_t>{3}));
  Wire::Picture third = codedPicture(3);
  CodeStamper(kCodedWidth, kCodedHeight, PixelFormat::Uyvy).stamp(third.picture.picture(), {77, 3, 5});
  EXPECT_EQ(bytesOf(StreamEnd::Received, 3), third.picture.bytes());
  receiver.keeperPlace().put(nullptr);
  EXPECT_EQ(receiver.keeperPlace().keeper(), nullptr);
  EXPECT_EQ(files(), 0u);
}

}  // namespace
}  // namespace whiteline::test
