#include "native/media/framecode/white_line.h"

#include <gtest/gtest.h>

#include <string>

#include "native/media/framecode/strip_geometry.h"
#include "native/tests/frame_code_vectors.h"
#include "native/tests/test_picture.h"

namespace whiteline {
namespace {

using test::OwnedPicture;

Rate rateOf(const std::string& text) {
  const size_t slash = text.find('/');
  return {.numerator = static_cast<uint32_t>(std::stoul(text.substr(0, slash))),
          .denominator = static_cast<uint32_t>(std::stoul(text.substr(slash + 1)))};
}

TEST(WhiteLine, AgreesWithEveryTestVector) {
  const nlohmann::json vectors = test::frameCodeVectors().at("whiteLine");
  ASSERT_EQ(vectors.size(), 36u);
  for (const nlohmann::json& vector : vectors) {
    const uint32_t frameNumber = vector.at("frameNumber");
    const int width = vector.at("width");
    const WhiteLine line = whiteLineAt(frameNumber, width, rateOf(vector.at("rate")));
    EXPECT_EQ(line.left, vector.at("left").get<int>()) << vector.dump();
    EXPECT_EQ(line.width, vector.at("lineWidth").get<int>()) << vector.dump();
  }
}

TEST(WhiteLine, StaysInsideThePictureOnEvenPixels) {
  for (const int width : {320, 330, 638, 642, 1280, 3838, 7680}) {
    for (const Rate rate : {Rate{60000, 1001}, Rate{24, 1}, Rate{4294967295u, 4294967294u}}) {
      for (uint32_t step = 0; step < 2000; ++step) {
        const WhiteLine line = whiteLineAt(step * 2147483u, width, rate);
        ASSERT_EQ(line.left % 2, 0);
        ASSERT_EQ(line.width % 2, 0);
        ASSERT_GE(line.left, 0);
        ASSERT_LE(line.left + line.width, width);
      }
    }
  }
}

TEST(WhiteLine, CrossesThePictureInTwoSeconds) {
  constexpr Rate kRate{50, 1};
  EXPECT_EQ(whiteLineAt(0, 1920, kRate).left, 0);
  EXPECT_EQ(whiteLineAt(100, 1920, kRate).left, 1920 - whiteLineAt(0, 1920, kRate).width);
  EXPECT_EQ(whiteLineAt(200, 1920, kRate).left, 0);
  for (uint32_t frame = 1; frame <= 100; ++frame) {
    EXPECT_GT(whiteLineAt(frame, 1920, kRate).left, whiteLineAt(frame - 1, 1920, kRate).left);
  }
}

class WhiteLineInFormat : public testing::TestWithParam<PixelFormat> {};

INSTANTIATE_TEST_SUITE_P(Formats, WhiteLineInFormat, testing::Values(PixelFormat::Uyvy, PixelFormat::Bgra),
                         [](const auto& info) { return info.param == PixelFormat::Uyvy ? "Uyvy" : "Bgra"; });

TEST_P(WhiteLineInFormat, IsDrawnBetweenTheStripsAndNowhereElse) {
  constexpr int kWidth = 330;
  constexpr int kHeight = 198;
  OwnedPicture owned(kWidth, kHeight, GetParam(), 12);
  owned.fillRandom(7);
  const OwnedPicture before = owned;
  constexpr WhiteLine kLine{.left = 100, .width = 4};

  drawWhiteLine(owned.picture(), kLine);

  const StripGeometry geometry(kWidth, kHeight);
  const int pixelBytes = bytesPerPixel(GetParam());
  for (int y = 0; y < kHeight; ++y) {
    for (int x = 0; x < kWidth; ++x) {
      const bool onLine = x >= kLine.left && x < kLine.left + kLine.width && y >= geometry.contentBegin() &&
                          y < geometry.contentEnd();
      for (int byte = 0; byte < pixelBytes; ++byte) {
        const int white = GetParam() == PixelFormat::Bgra ? 255 : byte == 0 ? 128 : 235;
        const int expected = onLine ? white : rowOf(before.view(), y)[x * pixelBytes + byte];
        ASSERT_EQ(rowOf(owned.view(), y)[x * pixelBytes + byte], expected) << x << ", " << y;
      }
    }
  }
  EXPECT_TRUE(owned.paddingIsUntouched());
}

}  // namespace
}  // namespace whiteline
