#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <fstream>
#include <thread>

#include "native/media/hap/movie_check.h"
#include "native/tests/movie_builder.h"
#include "native/tests/scratch_folder.h"
#include "native/tests/test_clips.h"

namespace whiteline::test {
namespace {

using State = MovieCheckStatus::State;
using Compressor = MovieFacts::Compressor;

MovieCheckStatus endOf(const MovieCheck& check) {
  const auto limit = std::chrono::steady_clock::now() + std::chrono::seconds(20);
  while (check.status().state == State::Running && std::chrono::steady_clock::now() < limit) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return check.status();
}

MovieCheckStatus checked(const std::string& path, bool decode) {
  const MovieCheck check(path, decode);
  return endOf(check);
}

class MovieCheckTest : public testing::Test {
 protected:
  std::string saved(const Bytes& movie) {
    const std::filesystem::path path = folder_.path() / "movie.mov";
    std::ofstream file(path, std::ios::binary);
    file.write(reinterpret_cast<const char*>(movie.data()), static_cast<std::streamsize>(movie.size()));
    return path.string();
  }

  ScratchFolder folder_;
};

Bytes plainFrame(int width, int height) {
  return hapSection(0xAB, textureOf(TextureFormat::Bc1Rgb, width, height));
}

TEST_F(MovieCheckTest, tellsTheFactsOfAMovie) {
  MovieBuilder builder;
  builder.width = 640;
  builder.height = 360;
  builder.frames = {plainFrame(640, 360), plainFrame(640, 360), plainFrame(640, 360)};
  const Bytes movie = builder.build();
  const MovieCheckStatus status = checked(saved(movie), false);
  ASSERT_EQ(status.state, State::Done) << status.problemMessage;
  ASSERT_TRUE(status.facts);
  const MovieFacts& facts = *status.facts;
  EXPECT_EQ(facts.fourCc, "Hap1");
  EXPECT_EQ(facts.variant, "Hap");
  EXPECT_EQ(facts.width, 640);
  EXPECT_EQ(facts.height, 360);
  EXPECT_EQ(facts.rate.numerator, 30000u);
  EXPECT_EQ(facts.rate.denominator, 1001u);
  EXPECT_TRUE(facts.constantRate);
  EXPECT_EQ(facts.frames, 3u);
  EXPECT_DOUBLE_EQ(facts.durationSeconds, 3 * 1001.0 / 30000);
  EXPECT_EQ(facts.fileBytes, movie.size());
  const auto frameBytes = static_cast<double>(builder.frames[0].size());
  EXPECT_DOUBLE_EQ(facts.bitrateMbps, 8 * 3 * frameBytes / facts.durationSeconds / 1e6);
  EXPECT_EQ(facts.largestFrameBytes, builder.frames[0].size());
  EXPECT_EQ(facts.chunksMin, 1);
  EXPECT_EQ(facts.chunksMax, 1);
  EXPECT_EQ(facts.compressor, Compressor::None);
  EXPECT_TRUE(facts.problems.empty());
  EXPECT_EQ(status.framesDecoded, 0u);
  EXPECT_EQ(status.damagedFrames, 0u);
}

TEST_F(MovieCheckTest, decodingAllTellsTheRangeOfChunksAndAMixOfCompressors) {
  const Bytes texture = textureOf(TextureFormat::Bc1Rgb, 16, 8);
  MovieBuilder builder;
  builder.frames = {hapSection(0xAB, texture), chunkedImage(0xB, chunksOf(texture, 4)),
                    chunkedImage(0xB, chunksOf(texture, 2))};
  const std::string path = saved(builder.build());
  const MovieCheckStatus inspected = checked(path, false);
  EXPECT_EQ(inspected.facts->chunksMin, 1);
  EXPECT_EQ(inspected.facts->chunksMax, 1);
  EXPECT_EQ(inspected.facts->compressor, Compressor::None);
  const MovieCheckStatus decoded = checked(path, true);
  EXPECT_EQ(decoded.facts->chunksMin, 1);
  EXPECT_EQ(decoded.facts->chunksMax, 4);
  EXPECT_EQ(decoded.facts->compressor, Compressor::Mixed);
  EXPECT_EQ(decoded.framesDecoded, 3u);
}

TEST_F(MovieCheckTest, namesWhatCannotBeStreamed) {
  MovieBuilder builder;
  builder.durations = {{1, 1001}, {1, 500}, {1, 2000}};
  builder.frames = MovieBuilder::defaultFrames(3);
  const MovieCheckStatus status = checked(saved(builder.build()), true);
  ASSERT_EQ(status.state, State::Done);
  ASSERT_EQ(status.facts->problems.size(), 2u);
  EXPECT_NE(status.facts->problems[0].find("an even width of at least 320 and a height of at least 180"),
            std::string::npos);
  EXPECT_NE(status.facts->problems[1].find("do not last equally long"), std::string::npos);
  EXPECT_EQ(status.framesDecoded, 3u);
}

TEST_F(MovieCheckTest, namesEveryDamagedFrameAndItsByteInTheFile) {
  MovieBuilder builder;
  builder.frames = MovieBuilder::defaultFrames(40);
  Bytes movie = builder.build();
  const size_t firstByte = contentOf(movie, "mdat");
  const size_t frameBytes = builder.frames[0].size();
  // Their sections end a byte too early.
  for (const size_t frame : {3, 17, 39}) --movie[firstByte + frame * frameBytes];
  const MovieCheckStatus status = checked(saved(movie), true);
  ASSERT_EQ(status.state, State::Done);
  EXPECT_EQ(status.framesDecoded, 40u);
  EXPECT_EQ(status.damagedFrames, 3u);
  ASSERT_EQ(status.damage.size(), 3u);
  const size_t damaged[] = {3, 17, 39};
  for (size_t index = 0; index < 3; ++index) {
    EXPECT_EQ(status.damage[index].frame, damaged[index]);
    EXPECT_EQ(status.damage[index].byte, firstByte + damaged[index] * frameBytes);
    const std::string place = "frame " + std::to_string(damaged[index]) + " (bytes ";
    EXPECT_NE(status.damage[index].message.find(place), std::string::npos) << status.damage[index].message;
  }
}

TEST_F(MovieCheckTest, tellsTheFirstThousandOfMuchDamageAndCountsAll) {
  MovieBuilder builder;
  builder.frames.assign(1500, Bytes{1, 2, 3});
  const MovieCheckStatus status = checked(saved(builder.build()), true);
  EXPECT_EQ(status.damagedFrames, 1500u);
  ASSERT_EQ(status.damage.size(), MovieCheck::kMostDamageReported);
  for (size_t index = 0; index < status.damage.size(); ++index) EXPECT_EQ(status.damage[index].frame, index);
  EXPECT_EQ(status.facts->chunksMax, 0);
}

TEST_F(MovieCheckTest, looksPastADamagedFirstFrame) {
  MovieBuilder builder;
  builder.frames = MovieBuilder::defaultFrames(3);
  builder.frames[0] = {9, 9, 9, 9, 9};
  const MovieCheckStatus status = checked(saved(builder.build()), false);
  EXPECT_EQ(status.state, State::Done);
  EXPECT_EQ(status.damagedFrames, 1u);
  EXPECT_EQ(status.facts->chunksMax, 1);
}

TEST_F(MovieCheckTest, looksAtTheHeadsOfAThousandFramesWithoutDecoding) {
  MovieBuilder builder;
  builder.frames = MovieBuilder::defaultFrames(4001);
  const size_t frameBytes = builder.frames[0].size();
  Bytes movie = builder.build();
  // Their heads are of no frame, as where offsets are wrong.
  for (size_t frame = 1000; frame < 1040; ++frame)
    movie[contentOf(movie, "mdat") + frame * frameBytes + 3] = 0;
  const MovieCheckStatus status = checked(saved(movie), false);
  EXPECT_EQ(status.state, State::Done);
  EXPECT_EQ(status.damagedFrames, 10u);
  for (const auto& damage : status.damage) {
    EXPECT_GE(damage.frame, 1000u);
    EXPECT_LT(damage.frame, 1040u);
  }
  builder.frames = MovieBuilder::defaultFrames(30);
  movie = builder.build();
  movie[contentOf(movie, "mdat") + 20 * frameBytes + 3] = 0;
  const std::string path = saved(movie);
  const MovieCheckStatus inspected = checked(path, false);
  const MovieCheckStatus decoded = checked(path, true);
  ASSERT_EQ(inspected.damage.size(), 1u);
  ASSERT_EQ(decoded.damage.size(), 1u);
  EXPECT_EQ(inspected.damage[0].frame, 20u);
  EXPECT_EQ(inspected.damage[0].byte, decoded.damage[0].byte);
  EXPECT_EQ(inspected.damage[0].message, decoded.damage[0].message);
}

TEST_F(MovieCheckTest, saysWhyAFileIsNoMovieOfOurs) {
  const MovieCheckStatus absent = checked("/no/such/movie.mov", true);
  EXPECT_EQ(absent.state, State::Failed);
  EXPECT_EQ(absent.problemCode, "FILE_UNREADABLE");
  EXPECT_NE(absent.problemMessage.find("/no/such/movie.mov"), std::string::npos);
  EXPECT_FALSE(absent.facts);
  EXPECT_EQ(checked(folder_.path().string(), false).problemCode, "FILE_UNREADABLE");
  MovieBuilder builder;
  builder.codec = "avc1";
  const MovieCheckStatus foreign = checked(saved(builder.build()), false);
  EXPECT_EQ(foreign.problemCode, "MOVIE_NOT_HAP");
  EXPECT_NE(foreign.problemMessage.find("avc1"), std::string::npos);
  Bytes cut = MovieBuilder().build();
  cut.erase(cut.end() - 20, cut.end());
  EXPECT_EQ(checked(saved(cut), false).problemCode, "MOVIE_DAMAGED");
}

TEST_F(MovieCheckTest, everyTestClipDecodesWithoutDamage) {
  ASSERT_FALSE(testClips().empty());
  for (const TestClip& clip : testClips()) {
    const MovieCheckStatus status = checked(pathOf(clip), true);
    ASSERT_EQ(status.state, State::Done) << clip.name << ": " << status.problemMessage;
    EXPECT_EQ(status.damagedFrames, 0u) << clip.name;
    EXPECT_EQ(status.framesDecoded, status.facts->frames) << clip.name;
    EXPECT_EQ(status.facts->fourCc, clip.fourCC) << clip.name;
    const auto most = std::max_element(clip.chunksOfEachImage.begin(), clip.chunksOfEachImage.end());
    EXPECT_EQ(status.facts->chunksMax, static_cast<int>(*most)) << clip.name;
  }
}

/** The path of a movie that takes long to decode and little to make: its frames are all the same bytes. */
std::string savedLong(const std::filesystem::path& path, size_t frames) {
  constexpr int kSide = 2048;
  const Bytes block{1, 2, 3, 4, 5, 6, 7, 8};
  const Bytes frame =
      hapSection(0xBB, snappyCopies(block, textureBytes(TextureFormat::Bc1Rgb, kSide, kSide)));
  MovieBuilder builder;
  builder.width = kSide;
  builder.height = kSide;
  builder.frames.assign(frames, Bytes(1));
  builder.movieBoxFirst = true;
  builder.constantSizes = true;
  builder.trailing = movBox("free", frame);
  Bytes movie = patched(builder.build(), "stsz", 4, frame.size());
  const Bytes place = bigEndian(contentOf(movie, "free"), 4);
  // Behind the version, the flags and the count of the table.
  auto entry = movie.begin() + static_cast<ptrdiff_t>(contentOf(movie, "stco") + 8);
  for (size_t index = 0; index < frames; ++index) entry = std::copy(place.begin(), place.end(), entry);
  std::ofstream(path, std::ios::binary)
      .write(reinterpret_cast<const char*>(movie.data()), static_cast<std::streamsize>(movie.size()));
  // As large as its frames say, by a hole that takes no room on the disk.
  std::filesystem::resize_file(path, movie.size() + frames * frame.size());
  return path.string();
}

TEST_F(MovieCheckTest, closingStopsItEarly) {
  // Decoding them takes many seconds: this thread may be held up.
  constexpr size_t kFrames = 40'000;
  MovieCheck check(savedLong(folder_.path() / "long.mov", kFrames), true);
  while (check.status().framesDecoded == 0 && check.status().state == State::Running) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  check.close();
  const MovieCheckStatus status = check.status();
  EXPECT_EQ(status.state, State::Running) << status.problemMessage;
  EXPECT_LT(status.framesDecoded, kFrames);
  EXPECT_EQ(status.damagedFrames, 0u);
  check.close();
}

}  // namespace
}  // namespace whiteline::test
