#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>
#include <string>

#include "native/media/framecode/code_stamper.h"
#include "native/media/framecode/strip_geometry.h"
#include "native/media/framecode/white_line.h"
#include "native/media/quality/comparison_picture.h"
#include "native/media/quality/picture_file.h"
#include "native/media/quality/picture_quality.h"
#include "native/tests/every_nth.h"
#include "native/tests/scratch_folder.h"
#include "native/tests/test_picture.h"

namespace whiteline::test {
namespace {

constexpr PixelFormat kUyvy = PixelFormat::Uyvy;

/** Smooth, with edges, and with some of it changed as a codec would: noise of `strength` steps. */
struct Pair {
  OwnedPicture sent;
  OwnedPicture received;

  Pair(int width, int height, int strength, int paddingBytes = 0)
      : sent(width, height, kUyvy, paddingBytes), received(width, height, kUyvy) {
    std::mt19937 random(7);
    for (int y = 0; y < height; ++y) {
      for (int byte = 0; byte < packedStride(width, kUyvy); ++byte) {
        const int edge = (byte / 64 + y / 40) % 3 == 0 ? 60 : 0;
        const int value = 40 + (byte / 9 + y / 3) % 110 + edge;
        const int noise = strength == 0 ? 0 : static_cast<int>(random() % (2 * strength + 1)) - strength;
        rowOf(sent.picture(), y)[byte] = static_cast<uint8_t>(value);
        rowOf(received.picture(), y)[byte] = static_cast<uint8_t>(value + noise);
      }
    }
  }
};

PictureQuality compare(const Pair& pair, const Mask& mask = {}) {
  return PictureComparer().compare(pair.sent.view(), pair.received.view(), mask);
}

std::string textOf(const std::filesystem::path& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

/**
 * What ffmpeg's filter says of Y, U and V of the pair, from its statistics file; by its plain code: where the
 * columns of windows leave one over in groups of four, as 81 do, the vector code of 5.1 gives an SSIM that is
 * 0.004 higher.
 */
std::array<double, kPlaneCount> ffmpegSays(const std::string& filter, const std::string& pattern,
                                           Pair& pair) {
  const ScratchFolder folder;
  const std::string path = folder.path().string();
  writePictureFile(pictureFile(path, StreamEnd::Sent, 1), pair.sent.bytes());
  writePictureFile(pictureFile(path, StreamEnd::Received, 1), pair.received.bytes());
  const PictureView view = pair.sent.view();
  const std::string input = " -f rawvideo -pix_fmt uyvy422 -video_size " + std::to_string(view.width) + "x" +
                            std::to_string(view.height) + " -i ";
  const std::string command = "cd '" + path + "' && ffmpeg -v error -nostdin -cpuflags 0" + input +
                              "received-1.uyvy" + input +
                              "sent-1.uyvy -lavfi '[0]format=yuv422p[r];[1]format=yuv422p[s];[r][s]" +
                              filter + "=stats_file=said' -f null -";
  EXPECT_EQ(std::system(command.c_str()), 0) << command;
  const std::string said = textOf(folder.path() / "said");
  std::smatch match;
  std::array<double, kPlaneCount> figures{};
  if (!std::regex_search(said, match, std::regex(pattern))) {
    ADD_FAILURE() << said;
    return figures;
  }
  for (size_t plane = 0; plane < figures.size(); ++plane) figures[plane] = std::stod(match[plane + 1]);
  return figures;
}

struct Case {
  int width, height, strength;
};

class AgainstFfmpeg : public testing::TestWithParam<Case> {};

TEST_P(AgainstFfmpeg, psnrAndSsimAreItsOwn) {
  const auto [width, height, strength] = GetParam();
  Pair pair(width, height, strength);
  const PictureQuality quality = compare(pair);
  const auto psnr = ffmpegSays("psnr", "psnr_y:(\\S+) psnr_u:(\\S+) psnr_v:(\\S+)", pair);
  const auto ssim = ffmpegSays("ssim", "Y:(\\S+) U:(\\S+) V:(\\S+)", pair);
  for (size_t plane = 0; plane < kPlaneCount; ++plane) {
    EXPECT_NEAR(psnrDb(quality[plane].meanSquaredError), psnr[plane], 0.01) << plane;
    EXPECT_NEAR(quality[plane].structuralSimilarity, ssim[plane], 0.0005) << plane;
  }
}

// 330×198 has columns and rows behind the last group of four, in luma and in chroma.
INSTANTIATE_TEST_SUITE_P(Sizes, AgainstFfmpeg,
                         testing::Values(Case{640, 360, 3}, Case{640, 360, 30}, Case{330, 198, 9},
                                         Case{1920, 1080, 12}, Case{322, 182, 1}));

TEST(PictureQuality, identicalPicturesHaveNoErrorAndInfinitePsnr) {
  for (const PlaneQuality& plane : compare(Pair(640, 360, 0))) {
    EXPECT_EQ(plane.meanSquaredError, 0);
    EXPECT_EQ(plane.structuralSimilarity, 1);
    EXPECT_TRUE(std::isinf(psnrDb(plane.meanSquaredError)));
  }
}

TEST(PictureQuality, eachPlaneIsMeasuredByItself) {
  Pair pair(320, 180, 0);
  // One Cb sample: 10 steps of 160×180.
  rowOf(pair.received.picture(), 50)[4 * 20] += 10;
  const PictureQuality quality = compare(pair);
  EXPECT_EQ(quality[0].meanSquaredError, 0);
  EXPECT_DOUBLE_EQ(quality[1].meanSquaredError, 100.0 / (160 * 180));
  EXPECT_LT(quality[1].structuralSimilarity, 1);
  EXPECT_EQ(quality[2].meanSquaredError, 0);
}

TEST(PictureQuality, paddedRowsAreReadByTheirStride) {
  const PictureQuality padded = compare(Pair(640, 360, 9, 24));
  const PictureQuality packed = compare(Pair(640, 360, 9));
  EXPECT_EQ(padded[0].meanSquaredError, packed[0].meanSquaredError);
  EXPECT_EQ(padded[2].structuralSimilarity, packed[2].structuralSimilarity);
}

TEST(PictureQuality, theLargestDifferenceDoesNotOverflow) {
  OwnedPicture black(16384, 16, kUyvy);
  OwnedPicture white(16384, 16, kUyvy);
  black.fillBytes(0);
  white.fillBytes(255);
  const PictureQuality quality = PictureComparer().compare(black.view(), white.view(), {});
  EXPECT_EQ(quality[0].meanSquaredError, 255 * 255);
  EXPECT_EQ(psnrDb(quality[0].meanSquaredError), 0);
  EXPECT_NEAR(quality[0].structuralSimilarity, 0, 1e-3);
}

TEST(Mask, whatLiesInItDoesNotCount) {
  Pair pair(640, 360, 0);
  const Area area{.left = 101, .top = 33, .right = 206, .bottom = 90};
  pair.received.fillLuma(area.left, area.top, area.right, area.bottom, 255);
  EXPECT_GT(compare(pair)[0].meanSquaredError, 0);
  EXPECT_LT(compare(pair)[0].structuralSimilarity, 1);
  const PlaneQuality luma = compare(pair, {area})[0];
  EXPECT_EQ(luma.meanSquaredError, 0);
  EXPECT_EQ(luma.structuralSimilarity, 1);
}

TEST(Mask, theMeanIsOfTheSamplesThatAreLeft) {
  Pair pair(640, 360, 0);
  // Ten luma samples outside, 20 steps each; two areas that overlap, so that what both cover counts once.
  for (int x = 0; x < 10; ++x) rowOf(pair.received.picture(), 200)[4 * x + 1] += 20;
  const Mask mask{{.left = 100, .top = 0, .right = 300, .bottom = 100},
                  {.left = 201, .top = 50, .right = 401, .bottom = 150}};
  const int masked = 200 * 100 + 200 * 100 - 99 * 50;
  EXPECT_DOUBLE_EQ(compare(pair, mask)[0].meanSquaredError, 10 * 400.0 / (640 * 360 - masked));
}

TEST(Mask, aChromaSampleThatLiesInItInPartIsLeftOut) {
  Pair pair(640, 360, 0);
  rowOf(pair.received.picture(), 100)[4 * 50] += 30;  // Cb of the pixels 100 and 101
  const Mask secondPixelOnly{{.left = 101, .top = 0, .right = 102, .bottom = 360}};
  EXPECT_EQ(compare(pair, secondPixelOnly)[1].meanSquaredError, 0);
  EXPECT_EQ(compare(pair, secondPixelOnly)[1].structuralSimilarity, 1);
}

TEST(Mask, aPictureThatIsAllMaskedIsNotMeasured) {
  for (const PlaneQuality& plane : compare(Pair(320, 180, 5), {{0, 0, 320, 180}})) {
    EXPECT_TRUE(std::isnan(plane.meanSquaredError));
    EXPECT_TRUE(std::isnan(plane.structuralSimilarity));
  }
}

TEST(Mask, ofAFrameCoversStripsAndLineWhereverTheLineStands) {
  constexpr Rate kRate{30, 1};
  for (const auto& [width, height] : {std::pair{330, 198}, std::pair{640, 360}, std::pair{1920, 1080}}) {
    const CodeStamper stamper(width, height, kUyvy);
    constexpr std::array frames{0u, 1u, 59u, 60u, 61u, 119u, 120u, 4000000000u};
    for (size_t index = 0; index < frames.size(); index += kEveryNth) {
      const uint32_t frame = frames.at(index);
      Pair pair(width, height, 0);
      stamper.stamp(pair.received.picture(), {9, frame, 12345});
      drawWhiteLine(pair.received.picture(), whiteLineAt(frame, width, kRate));
      EXPECT_GT(compare(pair)[0].meanSquaredError, 0);
      for (const PlaneQuality& plane : compare(pair, frameMask(width, height, frame, kRate))) {
        EXPECT_EQ(plane.meanSquaredError, 0) << width << " " << frame;
        EXPECT_EQ(plane.structuralSimilarity, 1) << width << " " << frame;
      }
    }
  }
}

TEST(Mask, ofAFrameLeavesMostOfThePicture) {
  std::vector<Span> spans;
  int kept = 0;
  for (int y = 0; y < 1080; ++y) {
    keptSpans(frameMask(1920, 1080, 77, {60, 1}), y, 1920, 1, spans);
    for (const Span& span : spans) kept += span.end - span.begin;
  }
  EXPECT_GT(kept, 1920 * 1080 * 9 / 10);
}

TEST(Mask, LeavesOutASampleThatSharesAnyMaskedColumn) {
  std::vector<Span> spans;
  keptSpans({{.left = 3, .top = 0, .right = 5, .bottom = 1}, {}, {}}, 0, 10, 2, spans);
  ASSERT_EQ(spans.size(), 2u);
  EXPECT_EQ(spans[0].begin, 0);
  EXPECT_EQ(spans[0].end, 1);
  EXPECT_EQ(spans[1].begin, 3);
  EXPECT_EQ(spans[1].end, 10);
}

TEST(ComparisonPicture, showsBothBesideEachOther) {
  const Pair pair(320, 180, 9);
  const RawPicture both = sideBySide(pair.sent.view(), pair.received.view());
  EXPECT_EQ(both.width, 648);
  EXPECT_EQ(both.height, 180);
  const PictureView view{both.bytes.data(), packedStride(648, kUyvy), 648, 180, kUyvy};
  for (int y = 0; y < 180; ++y) {
    EXPECT_EQ(std::memcmp(rowOf(view, y), rowOf(pair.sent.view(), y), 640), 0);
    EXPECT_EQ(std::memcmp(rowOf(view, y) + 656, rowOf(pair.received.view(), y), 640), 0);
  }
}

TEST(ComparisonPicture, theMapIsBlackWhereNothingDiffersAndBlueWhereMasked) {
  Pair pair(320, 180, 0);
  rowOf(pair.received.picture(), 10)[2 * 5 + 1] += 4;
  rowOf(pair.received.picture(), 11)[2 * 5 + 1] += 90;
  const RawPicture map = differenceMap(pair.sent.view(), pair.received.view(), {{0, 170, 320, 180}});
  const auto pixel = [&](int x, int y) {
    const uint8_t* rgb = map.bytes.data() + 3 * (y * 320 + x);
    return std::array<int, 3>{rgb[0], rgb[1], rgb[2]};
  };
  EXPECT_EQ(pixel(5, 10), (std::array<int, 3>{32, 32, 32}));
  EXPECT_EQ(pixel(5, 11), (std::array<int, 3>{255, 255, 255}));
  EXPECT_EQ(pixel(6, 10), (std::array<int, 3>{0, 0, 0}));
  EXPECT_EQ(pixel(5, 175), (std::array<int, 3>{0, 0, 96}));
}

}  // namespace
}  // namespace whiteline::test
