// Programs stand in for ffmpeg that are scripts of a shell.
#if !defined(_WIN32)

#include "native/media/quality/quality_check.h"

#include <gtest/gtest.h>
#include <signal.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "native/base/platform/error.h"
#include "native/content/clip_pairs.h"
#include "native/content/content_writer.h"
#include "native/media/hap/bgra_picture.h"
#include "native/media/quality/picture_file.h"
#include "native/tests/pipeline_fakes.h"
#include "native/tests/scratch_folder.h"
#include "native/tests/test_picture.h"

namespace whiteline::test {
namespace {

using State = QualityCheckStatus::State;
constexpr int kCheckedWidth = 640;
constexpr int kCheckedHeight = 360;

class QualityChecking : public testing::Test {
 protected:
  std::string path(const std::string& name) const { return (folder_.path() / name).string(); }
  bool has(const std::string& name) const { return std::filesystem::exists(path(name)); }

  /** A pair whose luma differs by so many steps in the middle of the picture. */
  void putPair(uint32_t frame, uint8_t steps) const {
    OwnedPicture picture(kCheckedWidth, kCheckedHeight, PixelFormat::Uyvy);
    picture.fillBytes(100);
    write(StreamEnd::Sent, frame, picture);
    picture.fillLuma(100, 150, 500, 200, static_cast<uint8_t>(100 + steps));
    write(StreamEnd::Received, frame, picture);
  }
  void write(StreamEnd end, uint32_t frame, const OwnedPicture& picture) const {
    writePictureFile(pictureFile(folder_.path().string(), end, frame), picture.bytes());
  }
  std::unique_ptr<PairSource> pairs(std::vector<uint32_t> frames) const {
    return keptPairs({folder_.path().string(), kCheckedWidth, kCheckedHeight, {30, 1}, std::move(frames)});
  }
  QualityCheckOptions withPictures(const std::string& program = "ffmpeg") const {
    return {program, path("both.png"), path("map.png")};
  }
  /** A program that stands in for ffmpeg. */
  std::string program(const std::string& script) const {
    const std::string file = path("program");
    std::ofstream(file) << "#!/bin/sh\n" << script << "\n";
    std::filesystem::permissions(file, std::filesystem::perms::owner_all);
    return file;
  }

  const ScratchFolder folder_;
};

QualityCheckStatus settled(const QualityCheck& check) {
  EXPECT_TRUE(eventually([&] { return check.status().state != State::Running; }));
  return check.status();
}

uint32_t bigEndian(std::ifstream& file) {
  uint32_t value = 0;
  for (int byte = 0; byte < 4; ++byte) value = value << 8 | static_cast<uint8_t>(file.get());
  return value;
}

/** From the head of a PNG file. */
std::pair<uint32_t, uint32_t> sizeOfPng(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  char head[16];
  file.read(head, sizeof head);
  EXPECT_EQ(std::string(head + 1, 3), "PNG") << path;
  const uint32_t width = bigEndian(file);
  return {width, bigEndian(file)};
}

TEST_F(QualityChecking, eachPairIsComparedAndTheWorstIsPainted) {
  putPair(10, 2);
  putPair(40, 9);
  putPair(70, 0);
  const QualityCheck check(pairs({10, 40, 70}), withPictures());
  const QualityCheckStatus status = settled(check);
  ASSERT_EQ(status.state, State::Done) << status.problemMessage;
  ASSERT_EQ(status.compared.size(), 3u);
  EXPECT_EQ(status.compared[1].frame, 40u);
  EXPECT_GT(status.compared[1].quality[0].meanSquaredError, status.compared[0].quality[0].meanSquaredError);
  EXPECT_EQ(status.compared[2].quality[0].meanSquaredError, 0);
  EXPECT_EQ(status.compared[1].quality[1].meanSquaredError, 0);
  EXPECT_EQ(status.pictureProblem, "");
  EXPECT_EQ(sizeOfPng(path("both.png")),
            (std::pair<uint32_t, uint32_t>{2 * kCheckedWidth + 8, kCheckedHeight}));
  EXPECT_EQ(sizeOfPng(path("map.png")), (std::pair<uint32_t, uint32_t>{kCheckedWidth, kCheckedHeight}));
}

TEST_F(QualityChecking, aFileThatIsMissingOrCutShortIsToldByItsName) {
  putPair(1, 1);
  std::filesystem::resize_file(pictureFile(folder_.path().string(), StreamEnd::Received, 1), 1000);
  const QualityCheckStatus cut = settled(QualityCheck(pairs({1}), withPictures()));
  EXPECT_EQ(cut.state, State::Failed);
  EXPECT_EQ(cut.problemCode, "FILE_UNREADABLE");
  EXPECT_NE(cut.problemMessage.find("received-1.uyvy is not a picture of 460800 bytes"), std::string::npos);
  const QualityCheckStatus missing = settled(QualityCheck(pairs({2}), withPictures()));
  EXPECT_NE(missing.problemMessage.find("sent-2.uyvy cannot be read"), std::string::npos);
  EXPECT_FALSE(has("both.png"));
}

TEST_F(QualityChecking, withoutFfmpegTheFiguresAreThereAndThePicturesAreToldMissing) {
  putPair(1, 1);
  for (const std::string& broken :
       {std::string("no-such-program"), program("echo no such codec >&2; exit 1"), program("kill -9 $$")}) {
    const QualityCheckStatus status = settled(QualityCheck(pairs({1}), withPictures(broken)));
    EXPECT_EQ(status.state, State::Done);
    EXPECT_EQ(status.compared.size(), 1u);
    EXPECT_NE(status.pictureProblem, "") << broken;
    EXPECT_FALSE(has("both.png"));
    EXPECT_FALSE(has("map.png"));
  }
}

TEST_F(QualityChecking, closingEndsAnFfmpegThatHangs) {
  putPair(1, 1);
  QualityCheck check(pairs({1}), withPictures(program("echo $$ > '" + path("id") + "'; sleep 1000")));
  int id = 0;
  ASSERT_TRUE(eventually([&] { return static_cast<bool>(std::ifstream(path("id")) >> id); }));
  check.close();
  EXPECT_NE(kill(id, 0), 0) << "still runs";
  EXPECT_FALSE(has("both.png"));
}

TEST_F(QualityChecking, aClipIsComparedWithWhatItsGeneratorPaints) {
  constexpr ClipShape kShape{kCheckedWidth, kCheckedHeight, {30, 1}, 6};
  const std::string clip = path("clip.mov");
  {
    const ContentWriter writer({"live-action-like",
                                kShape,
                                {"ffmpeg",
                                 {"-v", "error", "-f", "rawvideo", "-pix_fmt", "bgra", "-s", "640x360", "-r",
                                  "30", "-i", "-", "-c:v", "hap", "-format", "hap_q", clip}}});
    ASSERT_TRUE(eventually([&] { return writer.status().state == ContentWriterState::Done; }))
        << writer.status().message;
  }
  const QualityCheck check(clipPairs({clip, "live-action-like", {0, 5}}), withPictures());
  const QualityCheckStatus status = settled(check);
  ASSERT_EQ(status.state, State::Done) << status.problemMessage;
  ASSERT_EQ(status.compared.size(), 2u);
  for (const auto& [frame, quality] : status.compared) {
    // Hap Q loses some of it, and is nothing like another frame.
    EXPECT_GT(psnrDb(quality[0].meanSquaredError), 35) << frame;
    EXPECT_LT(psnrDb(quality[0].meanSquaredError), 60) << frame;
    EXPECT_GT(quality[0].structuralSimilarity, 0.95) << frame;
  }
  const QualityCheckStatus beyond = settled(QualityCheck(clipPairs({clip, "live-action-like", {6}}), {}));
  EXPECT_NE(beyond.problemMessage.find("has no frame 6"), std::string::npos) << beyond.problemMessage;
  const QualityCheckStatus other = settled(QualityCheck(clipPairs({clip, "black", {0}}), {}));
  ASSERT_EQ(other.state, State::Done);
  EXPECT_LT(psnrDb(other.compared[0].quality[0].meanSquaredError), 25);
}

TEST_F(QualityChecking, anUnknownGeneratorAndAClipThatIsNoneAreRefused) {
  EXPECT_THROW(clipPairs({"clip.mov", "snow", {0}}), Error);
  std::ofstream(path("text.mov")) << "this is no movie";
  const QualityCheckStatus status = settled(QualityCheck(clipPairs({path("text.mov"), "black", {0}}), {}));
  EXPECT_EQ(status.state, State::Failed);
  EXPECT_NE(status.problemMessage, "");
}

TEST(ConvertToUyvy, greyIsItsLevelAndColoursAreThoseOfTheFormat) {
  OwnedPicture bgra(646, 362, PixelFormat::Bgra);
  OwnedPicture uyvy(646, 362, PixelFormat::Uyvy);
  bgra.fillLuma(0, 0, 646, 362, 255);
  convertToUyvy(bgra.view(), uyvy.picture());
  const uint8_t* last = rowOf(uyvy.view(), 361) + 2 * 644;
  EXPECT_EQ((std::array<int, 4>{last[0], last[1], last[2], last[3]}),
            (std::array<int, 4>{128, 235, 128, 235}));
  // Pure red, BT.601.
  for (int x = 0; x < 646; ++x) {
    uint8_t* pixel = rowOf(bgra.picture(), 0) + 4 * x;
    pixel[0] = pixel[1] = 0;
  }
  convertToUyvy(bgra.view(), uyvy.picture());
  const uint8_t* red = rowOf(uyvy.view(), 0);
  EXPECT_NEAR(red[0], 90, 1);
  EXPECT_NEAR(red[1], 81, 1);
  EXPECT_NEAR(red[2], 240, 1);
}

}  // namespace
}  // namespace whiteline::test

#endif
