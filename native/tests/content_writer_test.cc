// Its commands are of a shell, and of ffmpeg.
#if !defined(_WIN32)

#include "native/content/content_writer.h"

#include <gtest/gtest.h>
#include <signal.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <thread>

#include "native/base/platform/error.h"
#include "native/tests/scratch_folder.h"

namespace whiteline {
namespace {

using Clock = std::chrono::steady_clock;

constexpr ClipShape kSmall{320, 180, {30, 1}, 8};

ContentWriterOptions piping(const std::string& script, const ClipShape& shape = kSmall) {
  return {"flares", shape, {"sh", {"-c", script}}};
}

ContentWriterStatus settled(const ContentWriter& writer,
                            std::chrono::seconds limit = std::chrono::seconds(10)) {
  const auto end = Clock::now() + limit;
  while (writer.status().state == ContentWriterState::Running && Clock::now() < end) {
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  return writer.status();
}

class ContentWriting : public testing::Test {
 protected:
  std::string file(const char* name) const { return (folder_.path() / name).string(); }

 private:
  const test::ScratchFolder folder_;
};

TEST_F(ContentWriting, theCommandGetsEveryPictureInOrder) {
  const ContentWriter writer(piping("cat > '" + file("raw") + "'"));
  const ContentWriterStatus status = settled(writer);
  EXPECT_EQ(status.state, ContentWriterState::Done) << status.message;
  EXPECT_EQ(status.framesWritten, kSmall.frames);

  std::vector<uint8_t> expected;
  const size_t pictureSize = pictureBytes(kSmall.width, kSmall.height, PixelFormat::Bgra);
  const auto generator = makeGenerator("flares", kSmall);
  for (uint32_t frame = 0; frame < kSmall.frames; ++frame) {
    expected.resize(expected.size() + pictureSize);
    uint8_t* const pixels = expected.data() + expected.size() - pictureSize;
    paintFrame(*generator, frame, {pixels, 4 * kSmall.width, kSmall.width, kSmall.height, PixelFormat::Bgra},
               1);
  }
  std::ifstream raw(file("raw"), std::ios::binary);
  const std::vector<uint8_t> written{std::istreambuf_iterator<char>(raw), {}};
  EXPECT_TRUE(written == expected);
}

TEST_F(ContentWriting, aCommandThatDiesIsAFailureInItsOwnWords) {
  const ContentWriter writer(piping("head -c 300000 > /dev/null; echo no space left >&2; exit 3"));
  const ContentWriterStatus status = settled(writer);
  EXPECT_EQ(status.state, ContentWriterState::Failed);
  EXPECT_LT(status.framesWritten, kSmall.frames);
  EXPECT_NE(status.message.find("exit code 3"), std::string::npos) << status.message;
  EXPECT_NE(status.message.find("no space left"), std::string::npos) << status.message;
}

TEST_F(ContentWriting, aCommandThatReadsNothingMoreIsAFailureEvenWithExitCodeZero) {
  const ContentWriter writer(piping("exit 0"));
  const ContentWriterStatus status = settled(writer);
  EXPECT_EQ(status.state, ContentWriterState::Failed);
  EXPECT_NE(status.message.find("took no more pictures"), std::string::npos) << status.message;
  EXPECT_NE(status.message.find("nothing to standard error"), std::string::npos) << status.message;
}

TEST_F(ContentWriting, aCommandThatFailsAtItsEndIsAFailure) {
  const ContentWriter writer(piping("cat > /dev/null; echo the index could not be written >&2; exit 1"));
  const ContentWriterStatus status = settled(writer);
  EXPECT_EQ(status.state, ContentWriterState::Failed);
  EXPECT_EQ(status.framesWritten, kSmall.frames);
  EXPECT_NE(status.message.find("did not finish the clip"), std::string::npos) << status.message;
  EXPECT_NE(status.message.find("the index could not be written"), std::string::npos) << status.message;
}

TEST_F(ContentWriting, aCommandThatTalksALotDoesNotBlock) {
  const ContentWriter writer(piping("yes chatter | head -c 3000000 >&2; cat > /dev/null; exit 5"));
  const ContentWriterStatus status = settled(writer);
  EXPECT_EQ(status.state, ContentWriterState::Failed);
  EXPECT_NE(status.message.find("exit code 5"), std::string::npos) << status.message;
  EXPECT_LT(status.message.size(), 4000u);
}

TEST_F(ContentWriting, closingEndsACommandThatNeverReadsOrNeverEndsOnQuietMachine) {
  for (const char* script :
       {"sleep 1000", "cat > /dev/null; sleep 1000", "cat > /dev/null 2>&-; sleep 1000"}) {
    ContentWriter writer(piping("echo $$ > '" + file("id") + "'; " + script));
    int id = 0;
    while (id == 0) std::ifstream(file("id")) >> id;
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    EXPECT_EQ(writer.status().state, ContentWriterState::Running) << script;
    const auto begin = Clock::now();
    writer.close();
    EXPECT_LT(Clock::now() - begin, std::chrono::seconds(1)) << script;
    EXPECT_EQ(writer.status().state, ContentWriterState::Failed);
    EXPECT_EQ(writer.status().message, "Stopped");
    EXPECT_NE(kill(id, 0), 0) << script << " still runs";
    std::filesystem::remove(file("id"));
  }
}

TEST_F(ContentWriting, anUnknownGeneratorIsRefusedBeforeTheCommandStarts) {
  try {
    const ContentWriter writer({"snow", kSmall, {"touch", {file("touched")}}});
    ADD_FAILURE() << "accepted";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), "INVALID_ARGUMENT");
    EXPECT_STREQ(
        error.what(),
        "Expected one of black, cuts, flares, gradients, live-action-like, noise, particles, shader, "
        "text-crawl, zone-plate for generator but received snow");
  }
  EXPECT_FALSE(std::filesystem::exists(file("touched")));
}

TEST_F(ContentWriting, aCommandThatCannotBeStartedIsAFailure) {
  ContentWriter writer({"black", kSmall, {"no-such-command", {}}});
  EXPECT_EQ(writer.status().state, ContentWriterState::Failed);
  EXPECT_NE(writer.status().message.find("Could not start no-such-command"), std::string::npos);
  writer.close();
}

TEST_F(ContentWriting, flaresHaveTheBitrateOfTheStudysClip) {
  // A few frames spread over the loop stand for it: 1.8 Gb/s ± 20 % as Hap Q at 3840×2160@60.
  constexpr ClipShape kShape{3840, 2160, {60, 1}, 3};
  const std::string clip = file("flares.mov");
  const ContentWriter writer({"flares",
                              kShape,
                              {"ffmpeg",
                               {"-v", "error", "-f", "rawvideo", "-pix_fmt", "bgra", "-s", "3840x2160", "-r",
                                "60", "-i", "-", "-c:v", "hap", "-format", "hap_q", "-chunks", "8", clip}}});
  const ContentWriterStatus status = settled(writer, std::chrono::seconds(60));
  ASSERT_EQ(status.state, ContentWriterState::Done) << status.message;
  const double bitsPerSecond =
      8.0 * static_cast<double>(std::filesystem::file_size(clip)) / kShape.frames * 60;
  EXPECT_GT(bitsPerSecond, 1.44e9);
  EXPECT_LT(bitsPerSecond, 2.16e9);
}

}  // namespace
}  // namespace whiteline

#endif
