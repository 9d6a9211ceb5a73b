#include "native/media/framecode/strip_geometry.h"

#include <gtest/gtest.h>

#include <utility>

namespace whiteline {
namespace {

constexpr std::pair<int, int> kSizes[] = {{320, 180},   {330, 198},  {642, 362},   {638, 358},
                                          {1280, 720},  {1366, 768}, {1920, 1080}, {3840, 2160},
                                          {7680, 4320}, {64, 90},    {322, 181}};

class GeometryAtSize : public testing::TestWithParam<std::pair<int, int>> {};

INSTANTIATE_TEST_SUITE_P(Sizes, GeometryAtSize, testing::ValuesIn(kSizes), [](const auto& info) {
  return std::to_string(info.param.first) + "x" + std::to_string(info.param.second);
});

TEST_P(GeometryAtSize, EveryPixelColumnLiesWhereTheFormulaOfTheFormatSays) {
  const auto [width, height] = GetParam();
  const StripGeometry geometry(width, height);
  for (int x = 0; x < width; ++x) {
    const int column = (2 * x + 1) * 32 / width;
    EXPECT_GE(x, geometry.columnBegin(column));
    EXPECT_LT(x, geometry.columnEnd(column));
  }
  EXPECT_EQ(geometry.columnBegin(0), 0);
  EXPECT_EQ(geometry.columnEnd(63), width);
}

TEST_P(GeometryAtSize, EveryPixelRowLiesWhereTheFormulaOfTheFormatSays) {
  const auto [width, height] = GetParam();
  const StripGeometry geometry(width, height);
  for (int y = 0; y < height; ++y) {
    const int index = (2 * y + 1) * 45 / height;
    const auto liesIn = [&](Strip strip, int row) {
      return y >= geometry.rowBegin(strip, row) && y < geometry.rowEnd(strip, row);
    };
    EXPECT_EQ(liesIn(Strip::Top, 0), index == 0) << "y " << y;
    EXPECT_EQ(liesIn(Strip::Top, 1), index == 1) << "y " << y;
    EXPECT_EQ(liesIn(Strip::Bottom, 0), index == 88) << "y " << y;
    EXPECT_EQ(liesIn(Strip::Bottom, 1), index == 89) << "y " << y;
    EXPECT_EQ(y >= geometry.contentBegin() && y < geometry.contentEnd(), index >= 2 && index <= 87);
  }
  EXPECT_EQ(geometry.rowBegin(Strip::Top, 0), 0);
  EXPECT_EQ(geometry.rowEnd(Strip::Bottom, 1), height);
}

TEST_P(GeometryAtSize, EveryCellHoldsItsOwnCentre) {
  const auto [width, height] = GetParam();
  const StripGeometry geometry(width, height);
  for (int column = 0; column < StripGeometry::kColumns; ++column) {
    EXPECT_GE(geometry.columnCentre(column), geometry.columnBegin(column));
    EXPECT_LT(geometry.columnCentre(column), geometry.columnEnd(column));
  }
  for (const Strip strip : {Strip::Top, Strip::Bottom}) {
    for (int row = 0; row < StripGeometry::kRows; ++row) {
      EXPECT_GE(geometry.rowCentre(strip, row), geometry.rowBegin(strip, row));
      EXPECT_LT(geometry.rowCentre(strip, row), geometry.rowEnd(strip, row));
    }
  }
}

TEST(StripGeometry, KnowsWhatMayBeStampedAndWhatCanBeRead) {
  EXPECT_TRUE(StripGeometry::fits(320, 180));
  EXPECT_TRUE(StripGeometry::fits(322, 181));
  EXPECT_FALSE(StripGeometry::fits(318, 180));
  EXPECT_FALSE(StripGeometry::fits(321, 180));
  EXPECT_FALSE(StripGeometry::fits(320, 179));
  EXPECT_TRUE(StripGeometry::readable(64, 90));
  EXPECT_FALSE(StripGeometry::readable(63, 90));
  EXPECT_FALSE(StripGeometry::readable(64, 89));
}

}  // namespace
}  // namespace whiteline
