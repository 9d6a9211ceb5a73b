#include "native/media/hap/texture_reader.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "native/base/platform/memory_byte_source.h"
#include "native/media/pattern/background.h"
#include "native/tests/movie_builder.h"

namespace whiteline::test {
namespace {

constexpr auto kPatience = std::chrono::seconds(20);
constexpr auto kPause = std::chrono::milliseconds(1);

/** What a test keeps of a texture. */
struct Taken {
  uint64_t sequence = 0;
  size_t frame = 0;
  size_t frames = 0;
  TextureFormat format{};
  Bytes blocks;
  Bytes alphaBlocks;
  Bytes background;
};

Taken newestOf(const TextureReader& reader, uint64_t after = 0) {
  Taken taken;
  reader.takeNewer(after, [&](const TextureReader::Newest& newest) {
    const HapTexture& texture = newest.texture;
    const auto copy = [&](const uint8_t* blocks, TextureFormat format) {
      return Bytes(blocks, blocks + textureBytes(format, texture.width, texture.height));
    };
    const bool hasAlphaBlocks = texture.alphaBlocks != nullptr;
    taken = {.sequence = newest.sequence,
             .frame = newest.frame,
             .frames = newest.frames,
             .format = texture.format,
             .blocks = copy(texture.blocks, texture.format),
             .alphaBlocks = hasAlphaBlocks ? copy(texture.alphaBlocks, TextureFormat::Bc4Alpha) : Bytes{},
             .background = newest.background};
  });
  return taken;
}

/** A movie in memory, of which the test chooses the frame that is shown. */
struct Playing {
  explicit Playing(const MovieBuilder& builder) : movie(builder.build()) {}

  std::function<ShownMovie()> opener() {
    return [this] {
      ++openings;
      if (isGone) throw Error("FILE_UNREADABLE", "test.mov is gone");
      auto opened = std::make_shared<const HapMovie>(std::make_unique<MemoryByteSource>(movie),
                                                     std::string("test.mov"));
      return ShownMovie{.movie = std::move(opened), .frameNow = [this] { return shownFrame.load(); }};
    };
  }

  const Bytes movie;
  std::atomic<size_t> shownFrame = 0;
  std::atomic<bool> isGone = false;
  std::atomic<int> openings = 0;
};

/** Asks as a host does, until `isOver`. */
template <class IsOver>
::testing::AssertionResult askUntil(TextureReader& reader, IsOver&& isOver) {
  const auto limit = std::chrono::steady_clock::now() + kPatience;
  while (!isOver()) {
    if (std::chrono::steady_clock::now() > limit) return ::testing::AssertionFailure() << reader.damage();
    reader.request();
    std::this_thread::sleep_for(kPause);
  }
  return ::testing::AssertionSuccess();
}

::testing::AssertionResult askFor(TextureReader& reader, size_t frame) {
  return askUntil(reader, [&] { return newestOf(reader).sequence > 0 && newestOf(reader).frame == frame; });
}

TEST(TextureReader, GivesTheBlocksOfTheShownFrame) {
  Playing playing({.frames = MovieBuilder::defaultFrames(4)});
  TextureReader reader(playing.opener());
  EXPECT_EQ(newestOf(reader).sequence, 0U);
  for (const size_t frame : {2U, 0U, 3U}) {
    playing.shownFrame = frame;
    ASSERT_TRUE(askFor(reader, frame));
    const Taken taken = newestOf(reader);
    EXPECT_EQ(taken.frames, 4U);
    EXPECT_EQ(taken.format, TextureFormat::Bc1Rgb);
    EXPECT_EQ(taken.blocks, textureOf(TextureFormat::Bc1Rgb, 16, 8, static_cast<uint8_t>(frame + 1)));
    EXPECT_TRUE(taken.alphaBlocks.empty());
    EXPECT_TRUE(taken.background.empty());
  }
  EXPECT_EQ(playing.openings, 1);
}

TEST(TextureReader, FetchesOnceForEachFrameAndNothingUnasked) {
  Playing playing({.frames = MovieBuilder::defaultFrames(3)});
  TextureReader reader(playing.opener());
  // One request only: of several, one may still be waiting when the frame changes.
  reader.request();
  const auto limit = std::chrono::steady_clock::now() + kPatience;
  while (newestOf(reader).sequence == 0 && std::chrono::steady_clock::now() < limit)
    std::this_thread::sleep_for(kPause);
  playing.shownFrame = 1;
  std::this_thread::sleep_for(20 * kPause);
  EXPECT_EQ(newestOf(reader).sequence, 1U);
  EXPECT_EQ(newestOf(reader, 1).sequence, 0U) << "none is newer than the first";
  ASSERT_TRUE(askFor(reader, 1));
  for (int request = 0; request < 20; ++request) {
    reader.request();
    std::this_thread::sleep_for(kPause);
  }
  EXPECT_EQ(newestOf(reader, 1).sequence, 2U);
}

TEST(TextureReader, GivesAlphaAndWhatLiesBehindIt) {
  constexpr int kWidth = 320;
  constexpr int kHeight = 180;
  const Bytes colour = textureOf(TextureFormat::Bc3ScaledYCoCg, kWidth, kHeight, 5);
  const Bytes alpha = textureOf(TextureFormat::Bc4Alpha, kWidth, kHeight, 6);
  const Bytes frame = hapSection(0x0D, hapSection(0xAF, colour) + hapSection(0xA1, alpha));
  Playing playing({.codec = "HapM", .width = kWidth, .height = kHeight, .frames = {frame}});
  TextureReader reader(playing.opener());
  ASSERT_TRUE(askFor(reader, 0));
  const Taken taken = newestOf(reader);
  EXPECT_EQ(taken.format, TextureFormat::Bc3ScaledYCoCg);
  EXPECT_EQ(taken.blocks, colour);
  EXPECT_EQ(taken.alphaBlocks, alpha);

  Bytes grid(kWidth * kHeight * 4);
  paintNeutralGrid({grid.data(), kWidth * 4, kWidth, kHeight, PixelFormat::Bgra});
  ASSERT_EQ(taken.background.size(), grid.size() / 4);
  for (size_t pixel = 0; pixel < taken.background.size(); ++pixel) {
    ASSERT_EQ(taken.background[pixel], grid[4 * pixel + 1]) << "pixel " << pixel;
  }
}

TEST(TextureReader, TellsADamagedFrameAndGoesOnWithTheNext) {
  std::vector<Bytes> frames = MovieBuilder::defaultFrames(3);
  frames[1].resize(frames[1].size() / 2);
  Playing playing({.frames = frames});
  TextureReader reader(playing.opener());
  ASSERT_TRUE(askFor(reader, 0));
  playing.shownFrame = 1;
  ASSERT_TRUE(askUntil(reader, [&] { return !reader.damage().empty(); }));
  EXPECT_NE(reader.damage().find("test.mov"), std::string::npos) << reader.damage();
  EXPECT_NE(reader.damage().find("rame 1"), std::string::npos) << reader.damage();
  EXPECT_EQ(newestOf(reader).frame, 0U) << "the last good one stays";
  playing.shownFrame = 2;
  ASSERT_TRUE(askFor(reader, 2));
  EXPECT_EQ(reader.damage(), "");
  EXPECT_EQ(playing.openings, 1) << "the file itself was sound";
}

TEST(TextureReader, OpensAFileAgainThatIsGoneButNotAllTheTime) {
  Playing playing({.frames = MovieBuilder::defaultFrames(2)});
  playing.isGone = true;
  const auto begin = std::chrono::steady_clock::now();
  TextureReader reader(playing.opener());
  ASSERT_TRUE(askUntil(reader, [&] { return reader.damage() == "test.mov is gone"; }));
  ASSERT_TRUE(askUntil(reader, [&] { return playing.openings >= 2; }));
  const int openings = playing.openings;
  const auto passed = std::chrono::steady_clock::now() - begin;
  EXPECT_LE(openings, 1 + passed / std::chrono::milliseconds(500)) << "once at once, then each half second";
  playing.isGone = false;
  ASSERT_TRUE(askFor(reader, 0));
  EXPECT_EQ(reader.damage(), "");
}

TEST(TextureReader, LendsWholeTexturesWhileNewOnesAreFetched) {
  Playing playing({.width = 1024, .height = 512, .frames = [] {
                     std::vector<Bytes> frames;
                     for (uint8_t level = 0; level < 8; ++level) {
                       const Bytes texture(textureBytes(TextureFormat::Bc1Rgb, 1024, 512), level);
                       frames.push_back(hapSection(0xAB, texture));
                     }
                     return frames;
                   }()});
  TextureReader reader(playing.opener());
  ASSERT_TRUE(askFor(reader, 0));
  for (size_t round = 1; round < 400; ++round) {
    playing.shownFrame = round % 8;
    reader.request();
    const Taken taken = newestOf(reader);
    const auto level = static_cast<uint8_t>(taken.frame);
    ASSERT_TRUE(
        std::all_of(taken.blocks.begin(), taken.blocks.end(), [&](uint8_t byte) { return byte == level; }));
  }
}

TEST(TextureReader, ClosesTwiceAndKeepsWhatItHas) {
  Playing playing({.frames = MovieBuilder::defaultFrames(1)});
  TextureReader reader(playing.opener());
  ASSERT_TRUE(askFor(reader, 0));
  reader.close();
  reader.close();
  reader.request();
  EXPECT_EQ(newestOf(reader).sequence, 1U);
}

}  // namespace
}  // namespace whiteline::test
