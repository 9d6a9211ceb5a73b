#include "native/media/pattern/background.h"

#include <gtest/gtest.h>

#include <utility>

#include "native/tests/test_picture.h"

namespace whiteline {
namespace {

using test::OwnedPicture;

constexpr std::pair<int, int> kSizes[] = {{320, 180}, {330, 198}, {642, 362}, {1280, 720}, {720, 1280}};

TEST(NeutralGrid, IsNeutralOpaqueAndDarkerThanTheWhiteLine) {
  for (const auto& [width, height] : kSizes) {
    OwnedPicture uyvy(width, height, PixelFormat::Uyvy, 8);
    OwnedPicture bgra(width, height, PixelFormat::Bgra, 8);
    paintNeutralGrid(uyvy.picture());
    paintNeutralGrid(bgra.picture());
    EXPECT_TRUE(uyvy.paddingIsUntouched());
    EXPECT_TRUE(bgra.paddingIsUntouched());
    for (int y = 0; y < height; ++y) {
      const uint8_t* const uyvyRow = rowOf(uyvy.view(), y);
      const uint8_t* const bgraRow = rowOf(bgra.view(), y);
      for (int x = 0; x < width; ++x) {
        ASSERT_EQ(uyvyRow[2 * x], 128);
        ASSERT_GE(uyvy.luma(x, y), 64);
        ASSERT_LE(uyvy.luma(x, y), 200);
        ASSERT_EQ(bgraRow[4 * x], bgraRow[4 * x + 1]);
        ASSERT_EQ(bgraRow[4 * x + 1], bgraRow[4 * x + 2]);
        ASSERT_EQ(bgraRow[4 * x + 3], 255);
      }
    }
  }
}

TEST(NeutralGrid, IsSymmetricAroundTheCentre) {
  for (const auto& [width, height] : kSizes) {
    OwnedPicture picture(width, height, PixelFormat::Uyvy);
    paintNeutralGrid(picture.picture());
    for (int y = 0; y < height; ++y) {
      for (int x = 0; x < width; ++x) {
        ASSERT_EQ(picture.luma(x, y), picture.luma(width - 1 - x, height - 1 - y)) << x << "," << y;
      }
    }
  }
}

TEST(NeutralGrid, HasLinesAndTheBrightestMarkAtTheCentre) {
  OwnedPicture picture(1280, 720, PixelFormat::Uyvy);
  paintNeutralGrid(picture.picture());
  const uint8_t centre = picture.luma(640, 360);
  int brighterThanGround = 0;
  for (int x = 0; x < 1280; ++x) {
    ASSERT_LE(picture.luma(x, 100), centre);
    brighterThanGround += picture.luma(x, 100) > picture.luma(10, 10);
  }
  EXPECT_GT(centre, picture.luma(0, 360));
  // Row 100 crosses the vertical lines only: 15 or so, thin.
  EXPECT_GE(brighterThanGround, 15);
  EXPECT_LE(brighterThanGround, 15 * 4);
}

}  // namespace
}  // namespace whiteline
