// Its commands are of a shell.
#if !defined(_WIN32)

#include <gtest/gtest.h>
#include <signal.h>

#include <algorithm>
#include <set>

#include "native/base/platform/error.h"
#include "native/media/pattern/background.h"
#include "native/media/pipeline/movie_reader.h"
#include "native/tests/pipeline_fakes.h"

namespace whiteline::test {
namespace {

constexpr int kDecodedMovieWidth = 320;
constexpr int kDecodedMovieHeight = 180;

/** ffmpeg, writing a moving test picture for ever. */
Command endlessMovie() {
  return {"ffmpeg",
          {"-v", "error", "-f", "lavfi", "-i", "testsrc2=size=320x180:rate=100", "-pix_fmt", "uyvy422", "-f",
           "rawvideo", "-"}};
}

Command shell(const std::string& script) {
  return {"sh", {"-c", script}};
}

SourceOptions movie(Command command) {
  SourceOptions options = smallSource(SourceKind::Movie);
  options.command = std::move(command);
  return options;
}

FramePool smallPool() {
  return FramePool(kDecodedMovieWidth, kDecodedMovieHeight, PixelFormat::Uyvy, 16);
}

std::string failureOf(MovieReader& reader) {
  EXPECT_TRUE(eventually([&] {
    reader.next(0);
    return !reader.failure().empty();
  }));
  return reader.failure();
}

bool exists(int64_t processId) {
  return kill(static_cast<pid_t>(processId), 0) == 0;
}

TEST(MovieReader, givesTheMoviesPicturesInOrderAndEndsItsCommand) {
  int64_t processId = 0;
  {
    MovieReader reader(smallPool(), endlessMovie());
    processId = reader.commandProcessId();
    std::set<std::vector<uint8_t>> pictures;
    ASSERT_TRUE(eventually([&] {
      if (const std::shared_ptr<Frame> frame = reader.next(0)) {
        const uint8_t* data = frame->picture().data;
        pictures.emplace(data,
                         data + pictureBytes(kDecodedMovieWidth, kDecodedMovieHeight, PixelFormat::Uyvy));
      }
      return pictures.size() >= 20;
    }));
    EXPECT_EQ(reader.failure(), "");
    EXPECT_TRUE(exists(processId));
  }
  EXPECT_FALSE(exists(processId));
}

TEST(MovieReader, composesPicturesWithAlphaOverTheGrid) {
  Frame grid(kDecodedMovieWidth, kDecodedMovieHeight, PixelFormat::Uyvy);
  paintNeutralGrid(grid.picture());
  const auto pictureOf = [](const std::string& colour) {
    MovieReader reader(smallPool(),
                       {"ffmpeg",
                        {"-v", "error", "-f", "lavfi", "-i", "color=" + colour + ":size=320x180,format=bgra",
                         "-f", "rawvideo", "-"}},
                       true);
    std::shared_ptr<Frame> frame;
    EXPECT_TRUE(eventually([&] { return (frame = reader.next(0)) != nullptr; }));
    const uint8_t* data = frame->picture().data;
    return std::vector<uint8_t>(
        data, data + pictureBytes(kDecodedMovieWidth, kDecodedMovieHeight, PixelFormat::Uyvy));
  };
  const uint8_t* behind = grid.picture().data;
  // Hidden red, all of it, and half of it.
  const std::vector<uint8_t> hidden = pictureOf("red@0.0");
  EXPECT_TRUE(std::equal(hidden.begin(), hidden.end(), behind));
  const std::vector<uint8_t> opaque = pictureOf("red@1.0");
  const std::vector<uint8_t> half = pictureOf("red@0.5");
  constexpr int kRed[] = {90, 81, 240, 81};
  for (size_t byte = 0; byte < hidden.size(); ++byte) {
    ASSERT_NEAR(opaque[byte], kRed[byte % 4], 1);
    ASSERT_NEAR(half[byte], (kRed[byte % 4] + behind[byte]) / 2.0, 2);
  }
}

TEST(MovieReader, readsAheadThreePicturesAndNoMore) {
  FramePool pool = smallPool();
  MovieReader reader(pool, endlessMovie());
  ASSERT_TRUE(eventually([&] { return pool.allocated() >= MovieReader::kPicturesAhead; }));
  std::this_thread::sleep_for(std::chrono::milliseconds(200));
  EXPECT_EQ(pool.allocated(), MovieReader::kPicturesAhead);
}

TEST(MovieReader, theEndOfTheStreamNamesExitCodeAndLastWords) {
  MovieReader reader(smallPool(), shell("head -c 230400 /dev/zero; echo 'disk on fire' >&2; exit 7"));
  const std::string failure = failureOf(reader);
  EXPECT_NE(failure.find("exit code 7 after 2 pictures"), std::string::npos) << failure;
  EXPECT_NE(failure.find("disk on fire"), std::string::npos) << failure;
}

TEST(MovieReader, halfAPictureIsNotShown) {
  MovieReader reader(smallPool(), shell("head -c 1000 /dev/zero"));
  const std::string failure = failureOf(reader);
  EXPECT_NE(failure.find("after 0 pictures and 1000 of 115200 bytes"), std::string::npos) << failure;
  EXPECT_EQ(reader.readiness(), PictureSource::Readiness::Failed);
}

TEST(MovieReader, aLongComplaintIsCutToItsLastLines) {
  MovieReader reader(smallPool(), shell("seq 1 100000 >&2; echo the end >&2"));
  const std::string failure = failureOf(reader);
  EXPECT_LT(failure.size(), 3000u);
  EXPECT_NE(failure.find("100000\nthe end"), std::string::npos) << failure;
}

TEST(MovieReader, aCommandThatDoesNotExistIsAnError) {
  try {
    MovieReader reader(smallPool(), Command{"/no/such/command", {}});
    FAIL() << "expected an error";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), "SOURCE_FAILED");
    EXPECT_NE(std::string(error.what()).find("/no/such/command"), std::string::npos);
  }
}

TEST(MovieSource, playsAMovieUnderLineAndCode) {
  auto source = std::make_shared<Source>(movie(endlessMovie()));
  SentFrames sent;
  SenderStream sender(source, std::make_unique<FakeOutput>(sent), 1);
  ASSERT_TRUE(eventually([&] { return sent.all().size() >= 30; }));
  EXPECT_GT(source->status().commandProcessId, 0);
  EXPECT_EQ(source->status().state, SourceState::Running);
  for (const SentFrames::Sent& frame : sent.all()) EXPECT_EQ(frame.reading.status, PictureStatus::Good);
}

TEST(MovieSource, whenTheCommandDiesTheLastPictureStaysUnderFreshCodes) {
  auto source = std::make_shared<Source>(
      movie(shell("for i in 1 2 3; do head -c 115200 /dev/zero; done; echo broken >&2; exit 3")));
  SentFrames sent;
  SenderStream sender(source, std::make_unique<FakeOutput>(sent), 1);
  const auto hasFailed = [&] { return source->status().state == SourceState::Failed; };
  ASSERT_TRUE(eventually([&] { return sent.all().size() >= 20 && hasFailed(); }));
  sender.close();
  const SourceStatus status = source->status();
  EXPECT_EQ(status.state, SourceState::Failed);
  EXPECT_NE(status.message.find("exit code 3 after 3 pictures"), std::string::npos) << status.message;
  EXPECT_NE(status.message.find("broken"), std::string::npos) << status.message;
  EXPECT_EQ(status.commandProcessId, 0);
  size_t released = 0, late = 0;
  for (const SourceRecord& record : drained(source->records())) {
    if (record.state == SlotState::Released) ++released;
    if (record.state == SlotState::LateSource) ++late;
    EXPECT_EQ(record.lateCause, record.state == SlotState::LateSource ? LateCause::Command : LateCause::None);
  }
  EXPECT_LE(released, 3u);
  EXPECT_GE(late, 15u);
  std::set<uint32_t> numbers;
  for (const SentFrames::Sent& frame : sent.all()) {
    EXPECT_EQ(frame.reading.status, PictureStatus::Good);
    numbers.insert(frame.reading.code.frameNumber);
  }
  EXPECT_EQ(numbers.size(), sent.all().size());
}

TEST(MovieSource, aRepeatedPictureCarriesOneLineOnly) {
  auto source = std::make_shared<Source>(movie(shell("head -c 115200 /dev/zero; sleep 60")));
  auto mailbox = std::make_shared<Mailbox>(256);
  source->attach(mailbox);
  FrameRef frame;
  ASSERT_TRUE(eventually([&] {
    const auto claim = mailbox->claim(std::chrono::milliseconds(100));
    if (!claim) return false;
    mailbox->endCall(monotonicNs());
    frame = claim->frame;
    return frame->slot >= 50;
  }));
  const uint8_t* row = rowOf(frame->picture(), kDecodedMovieHeight / 2);
  int white = 0;
  for (int x = 0; x < kDecodedMovieWidth; ++x) white += row[2 * x + 1] == 235 ? 1 : 0;
  EXPECT_EQ(white, 4);
  EXPECT_EQ(source->status().state, SourceState::Running);
}

TEST(MovieSource, withoutAFirstPictureItNeverRuns) {
  auto source = std::make_shared<Source>(movie(shell("echo 'no such movie' >&2; exit 1")));
  SentFrames sent;
  SenderStream sender(source, std::make_unique<FakeOutput>(sent), 1);
  ASSERT_TRUE(eventually([&] { return source->status().state == SourceState::Failed; }));
  EXPECT_NE(source->status().message.find("no such movie"), std::string::npos);
  EXPECT_EQ(source->status().startNs, 0);
  EXPECT_TRUE(drained(source->records()).empty());
  EXPECT_TRUE(sent.all().empty());
}

TEST(MovieSource, aMissingCommandIsAFailedSource) {
  Source source(movie({"/no/such/command", {}}));
  ASSERT_TRUE(eventually([&] { return source.status().state == SourceState::Failed; }));
  EXPECT_NE(source.status().message.find("/no/such/command"), std::string::npos);
}

TEST(MovieSource, closesWhileItsCommandIsSilent) {
  auto source = std::make_unique<Source>(movie(shell("sleep 60")));
  ASSERT_TRUE(eventually([&] { return source->status().commandProcessId != 0; }));
  const int64_t processId = source->status().commandProcessId;
  const int64_t beginNs = monotonicNs();
  source->close();
  EXPECT_LT(monotonicNs() - beginNs, 5'000'000'000);
  EXPECT_FALSE(exists(processId));
}

}  // namespace
}  // namespace whiteline::test

#endif
