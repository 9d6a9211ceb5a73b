#include "native/media/pattern/preview.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <vector>

#include "native/media/framecode/white_line.h"
#include "native/media/pattern/background.h"
#include "native/media/pipeline/preview_buffer.h"
#include "native/tests/test_picture.h"

namespace whiteline {
namespace {

using test::OwnedPicture;

std::vector<uint8_t> reduced(const PictureView& picture, PreviewSize size) {
  std::vector<uint8_t> rgba(static_cast<size_t>(size.width) * static_cast<size_t>(size.height) * 4, 1);
  reduceToRgba(picture, picture.height, size, rgba.data());
  return rgba;
}

TEST(Preview, KeepsTheShapeAndNeverEnlarges) {
  const auto expectSize = [](PreviewSize size, int width, int height) {
    EXPECT_EQ(size.width, width);
    EXPECT_EQ(size.height, height);
  };
  expectSize(previewSize(3840, 2160, 320), 320, 180);
  expectSize(previewSize(1920, 1080, 480), 480, 270);
  expectSize(previewSize(330, 198, 640), 330, 198);
  expectSize(previewSize(4096, 2, 16), 16, 1);
}

/** A picture of one UYVY colour, reduced. */
std::array<int, 3> colourOf(int height, uint8_t u, uint8_t y, uint8_t v) {
  OwnedPicture picture(640, height, PixelFormat::Uyvy);
  for (int row = 0; row < height; ++row) {
    uint8_t* bytes = rowOf(picture.picture(), row);
    for (int pair = 0; pair < 320; ++pair, bytes += 4) {
      bytes[0] = u;
      bytes[1] = bytes[3] = y;
      bytes[2] = v;
    }
  }
  const std::vector<uint8_t> rgba = reduced(picture.view(), {16, 9});
  for (size_t index = 4; index < rgba.size(); ++index) EXPECT_EQ(rgba[index], rgba[index - 4]);
  EXPECT_EQ(rgba[3], 255);
  return {rgba[0], rgba[1], rgba[2]};
}

void expectNear(const std::array<int, 3>& colour, const std::array<int, 3>& expected, int tolerance = 1) {
  for (size_t channel = 0; channel < 3; ++channel) EXPECT_NEAR(colour[channel], expected[channel], tolerance);
}

TEST(Preview, VideoLevelsBecomeFullLevels) {
  for (const int height : {360, 720}) {
    expectNear(colourOf(height, 128, 16, 128), {0, 0, 0});
    expectNear(colourOf(height, 128, 235, 128), {255, 255, 255});
    expectNear(colourOf(height, 128, 126, 128), {128, 128, 128});
  }
}

TEST(Preview, UsesBt709From720LinesAndBt601Below) {
  // The 75 % bars of either recommendation; a step of 8-bit chroma is worth two of RGB.
  expectNear(colourOf(720, 102, 51, 212), {191, 0, 0}, 2);
  expectNear(colourOf(720, 63, 133, 52), {0, 191, 0}, 2);
  expectNear(colourOf(720, 212, 28, 120), {0, 0, 191}, 2);
  expectNear(colourOf(718, 100, 65, 212), {191, 0, 0}, 2);
  expectNear(colourOf(718, 72, 112, 58), {0, 191, 0}, 2);
  expectNear(colourOf(718, 212, 35, 114), {0, 0, 191}, 2);
}

TEST(Preview, BgraKeepsItsChannels) {
  OwnedPicture picture(320, 180, PixelFormat::Bgra);
  for (int y = 0; y < 180; ++y) {
    for (int x = 0; x < 320; ++x) {
      uint8_t* const pixel = rowOf(picture.picture(), y) + 4 * x;
      pixel[0] = 10;
      pixel[1] = 20;
      pixel[2] = 30;
      pixel[3] = 0;
    }
  }
  const std::vector<uint8_t> rgba = reduced(picture.view(), {32, 18});
  for (size_t index = 0; index < rgba.size(); index += 4) {
    ASSERT_EQ(rgba[index], 30);
    ASSERT_EQ(rgba[index + 1], 20);
    ASSERT_EQ(rgba[index + 2], 10);
    ASSERT_EQ(rgba[index + 3], 255);
  }
}

TEST(Preview, ShowsTheWhiteLineWhereItStands) {
  for (const PixelFormat format : {PixelFormat::Uyvy, PixelFormat::Bgra}) {
    for (const int pictureWidth : {640, 3840}) {
      for (const uint32_t frame : {0u, 1u, 13u, 60u, 119u}) {
        OwnedPicture picture(pictureWidth, pictureWidth * 9 / 16, format);
        paintNeutralGrid(picture.picture());
        const WhiteLine line = whiteLineAt(frame, pictureWidth, {60, 1});
        drawWhiteLine(picture.picture(), line);
        const PreviewSize size = previewSize(pictureWidth, pictureWidth * 9 / 16, 320);
        const std::vector<uint8_t> rgba = reduced(picture.view(), size);

        // A quarter down: clear of the strips and of the horizontal axis.
        const uint8_t* const row = rgba.data() + static_cast<size_t>(size.height / 4 * size.width) * 4;
        int brightest = 0;
        for (int x = 1; x < size.width; ++x) {
          if (row[4 * x] > row[4 * brightest]) brightest = x;
        }
        EXPECT_GT(row[4 * brightest], 240) << "frame " << frame << " of width " << pictureWidth;
        const int lineCentre = (line.left + line.width / 2) * size.width / pictureWidth;
        EXPECT_LE(std::abs(brightest - lineCentre), 1) << "frame " << frame << " of width " << pictureWidth;
      }
    }
  }
}

TEST(Preview, EachPixelOfAPairKeepsItsOwnLuma) {
  OwnedPicture picture(320, 180, PixelFormat::Uyvy);
  picture.fillBytes(128);
  for (int y = 0; y < 180; ++y) {
    for (int x = 0; x < 320; ++x) picture.setLuma(x, y, (x + y) % 2 == 0 ? 16 : 235);
  }
  const std::vector<uint8_t> rgba = reduced(picture.view(), {320, 180});
  for (int y = 0; y < 180; ++y) {
    for (int x = 0; x < 320; ++x) {
      ASSERT_EQ(rgba[static_cast<size_t>(y * 320 + x) * 4], (x + y) % 2 == 0 ? 0 : 255) << x << ", " << y;
    }
  }
}

TEST(Preview, ShowsTheWhiteLineWhereItIsNarrowerThanAPreviewPixel) {
  OwnedPicture background(3840, 2160, PixelFormat::Uyvy);
  paintNeutralGrid(background.picture());
  // 48 pixels of the picture for each of the preview; the line has 24.
  const PreviewSize size = previewSize(3840, 2160, 80);
  const std::vector<uint8_t> without = reduced(background.view(), size);
  for (uint32_t frame = 0; frame < 120; frame += 7) {
    OwnedPicture picture = background;
    drawWhiteLine(picture.picture(), whiteLineAt(frame, 3840, {60, 1}));
    const std::vector<uint8_t> with = reduced(picture.view(), size);
    const size_t row = static_cast<size_t>(size.height / 4 * size.width) * 4;
    int largestRise = 0;
    for (size_t index = row; index < row + static_cast<size_t>(size.width) * 4; ++index) {
      largestRise = std::max(largestRise, with[index] - without[index]);
    }
    EXPECT_GE(largestRise, 25) << "frame " << frame;
  }
}

TEST(Preview, ReadsPaddedRows) {
  OwnedPicture packed(642, 362, PixelFormat::Uyvy);
  OwnedPicture padded(642, 362, PixelFormat::Uyvy, 20);
  paintNeutralGrid(packed.picture());
  paintNeutralGrid(padded.picture());
  EXPECT_EQ(reduced(packed.view(), {160, 90}), reduced(padded.view(), {160, 90}));
}

TEST(PreviewBuffer, MakesTheFirstPictureOfEachIntervalWhichBeginsShortlyBeforeAMultiple) {
  PreviewBuffer previews;
  previews.configure(12, 32);
  std::vector<int64_t> claimedMs;
  for (int64_t ms = 1001; ms < 1251; ++ms) {
    if (previews.claim(ms * 1'000'000)) claimedMs.push_back(ms);
  }
  // The first at once; then 40 ms before 1083.3, 1166.7 and 1250 ms.
  EXPECT_EQ(claimedMs, (std::vector<int64_t>{1001, 1044, 1127, 1210}));
}

TEST(PreviewBuffer, KeepsItsBeatHoweverOftenItIsAskedForTheSame) {
  const OwnedPicture picture(64, 36, PixelFormat::Uyvy);
  PreviewBuffer previews;
  for (int frame = 0; frame <= 60; ++frame) {
    previews.configure(12, 32);
    if (previews.claim(frame * int64_t{16'666'667})) {
      previews.make(picture.view(), FrameFormat::Progressive, static_cast<uint32_t>(frame));
    }
  }
  uint64_t made = 0;
  previews.readNewest(0, [&](const Preview& newest) { made = newest.sequence; });
  EXPECT_GE(made, 11U);
  EXPECT_LE(made, 13U);
}

TEST(PreviewBuffer, MakesTheNextOneAtOnceWhenAskedForAnotherSize) {
  const OwnedPicture picture(64, 36, PixelFormat::Uyvy);
  PreviewBuffer previews;
  previews.configure(1, 32);
  ASSERT_TRUE(previews.claim(0));
  previews.make(picture.view(), FrameFormat::Progressive, 1);
  EXPECT_FALSE(previews.claim(1'000'000));
  previews.configure(1, 64);
  ASSERT_TRUE(previews.claim(1'000'000));
  previews.make(picture.view(), FrameFormat::Progressive, 2);
  EXPECT_TRUE(previews.readNewest(1, [](const Preview& newest) {
    EXPECT_EQ(newest.width, 64);
    EXPECT_EQ(newest.frameNumber, 2U);
  }));
  EXPECT_FALSE(previews.readNewest(2, [](const Preview&) {}));
}

/** A field of 540 lines is half of a frame of 1080. */
TEST(PreviewBuffer, ShowsAFieldInTheShapeAndColoursOfItsFrame) {
  const auto made = [](const OwnedPicture& picture, FrameFormat format) {
    PreviewBuffer previews;
    previews.configure(1, 32);
    EXPECT_TRUE(previews.claim(0));
    previews.make(picture.view(), format, 1);
    Preview result;
    previews.readNewest(0, [&](const Preview& newest) { result = newest; });
    return result;
  };
  OwnedPicture field(1920, 540, PixelFormat::Uyvy);
  OwnedPicture frame(1920, 1080, PixelFormat::Uyvy);
  for (OwnedPicture* picture : {&field, &frame}) {
    for (int row = 0; row < picture->view().height; ++row) {
      uint8_t* bytes = rowOf(picture->picture(), row);
      for (int pair = 0; pair < 960; ++pair, bytes += 4) {
        bytes[0] = 90;
        bytes[1] = bytes[3] = 120;
        bytes[2] = 200;
      }
    }
  }
  const Preview ofField = made(field, FrameFormat::Fields);
  const Preview ofFrame = made(frame, FrameFormat::Interleaved);
  EXPECT_EQ(ofField.width, 32);
  EXPECT_EQ(ofField.height, 18);
  EXPECT_EQ(ofField.pixels, ofFrame.pixels);
  EXPECT_EQ(made(field, FrameFormat::Progressive).height, 9);
}

}  // namespace
}  // namespace whiteline
