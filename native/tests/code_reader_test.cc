#include "native/media/framecode/code_reader.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <tuple>

#include "native/media/framecode/code_stamper.h"
#include "native/media/pattern/background.h"
#include "native/tests/test_picture.h"

namespace whiteline {
namespace {

using test::OwnedPicture;

constexpr FrameCode kCode{.sourceId = 4660, .frameNumber = 100'000, .releaseTimeUs = 200'000'123'456'789};

void stampInto(OwnedPicture& owned, const FrameCode& code) {
  const PictureView view = owned.view();
  CodeStamper(view.width, view.height, view.format).stamp(owned.picture(), code);
}

CodeReading readFrom(const OwnedPicture& owned) {
  const PictureView view = owned.view();
  return CodeReader(view.width, view.height, view.format).read(view);
}

OwnedPicture stampedNoise(int width, int height, PixelFormat format, const FrameCode& code = kCode) {
  OwnedPicture owned(width, height, format, 20);
  owned.fillRandom(1);
  stampInto(owned, code);
  return owned;
}

void expectUndecodable(const CodeReading& reading) {
  EXPECT_EQ(reading.status, PictureStatus::Undecodable);
  EXPECT_EQ(reading.code, (FrameCode{.sourceId = 0, .frameNumber = 0, .releaseTimeUs = 0}));
  EXPECT_TRUE(std::isnan(reading.health));
}

struct Cell {
  int left;
  int top;
  int right;
  int bottom;
};

Cell cellOf(const OwnedPicture& owned, Strip strip, int row, int column) {
  const StripGeometry geometry(owned.view().width, owned.view().height);
  return {geometry.columnBegin(column), geometry.rowBegin(strip, row), geometry.columnEnd(column),
          geometry.rowEnd(strip, row)};
}

/** Turns every pixel of a cell from one to zero, or from zero to one, keeping `contrast` of the difference.
 */
void flip(OwnedPicture& owned, const Cell& cell, double contrast = 1) {
  const bool one = owned.luma(cell.left, cell.top) > 128;
  const double grey = owned.view().format == PixelFormat::Uyvy ? 125.5 : 127.5;
  const double amplitude = owned.view().format == PixelFormat::Uyvy ? 109.5 : 127.5;
  const double luma = grey + (one ? -1 : 1) * contrast * amplitude;
  owned.fillLuma(cell.left, cell.top, cell.right, cell.bottom, static_cast<uint8_t>(std::lround(luma)));
}

/** Scales the greys of a picture by the mean over each new pixel's area, as a transport's proxy does. */
OwnedPicture boxScaled(const OwnedPicture& from, int width, int height) {
  const PictureView view = from.view();
  OwnedPicture to(width, height, view.format);
  to.fillBytes(128);
  const auto overlap = [](int pixel, double begin, double end) {
    return std::min(end, pixel + 1.0) - std::max(begin, static_cast<double>(pixel));
  };
  for (int y = 0; y < height; ++y) {
    const double top = static_cast<double>(y) * view.height / height;
    const double bottom = static_cast<double>(y + 1) * view.height / height;
    for (int x = 0; x < width; ++x) {
      const double left = static_cast<double>(x) * view.width / width;
      const double right = static_cast<double>(x + 1) * view.width / width;
      double sum = 0;
      for (int sourceY = static_cast<int>(top); sourceY < bottom && sourceY < view.height; ++sourceY) {
        for (int sourceX = static_cast<int>(left); sourceX < right && sourceX < view.width; ++sourceX) {
          sum += from.luma(sourceX, sourceY) * overlap(sourceX, left, right) * overlap(sourceY, top, bottom);
        }
      }
      to.setLuma(x, y, static_cast<uint8_t>(std::lround(sum / ((right - left) * (bottom - top)))));
    }
  }
  return to;
}

using Shape = std::tuple<int, int, PixelFormat>;

std::string nameOf(const testing::TestParamInfo<Shape>& info) {
  const auto [width, height, format] = info.param;
  return std::to_string(width) + "x" + std::to_string(height) +
         (format == PixelFormat::Uyvy ? "Uyvy" : "Bgra");
}

class CodeInShape : public testing::TestWithParam<Shape> {};

INSTANTIATE_TEST_SUITE_P(
    Shapes, CodeInShape,
    testing::Values(Shape{320, 180, PixelFormat::Uyvy}, Shape{330, 198, PixelFormat::Uyvy},
                    Shape{642, 362, PixelFormat::Uyvy}, Shape{1280, 720, PixelFormat::Uyvy},
                    Shape{3840, 2160, PixelFormat::Uyvy}, Shape{320, 180, PixelFormat::Bgra},
                    Shape{330, 198, PixelFormat::Bgra}, Shape{642, 362, PixelFormat::Bgra},
                    Shape{1280, 720, PixelFormat::Bgra}, Shape{3840, 2160, PixelFormat::Bgra}),
    nameOf);

TEST_P(CodeInShape, IsReadBackPerfectlyOnNoiseAndOnTheGrid) {
  const auto [width, height, format] = GetParam();
  OwnedPicture noise(width, height, format);
  noise.fillRandom(5);
  OwnedPicture grid(width, height, format);
  paintNeutralGrid(grid.picture());
  for (OwnedPicture* const owned : {&noise, &grid}) {
    for (const uint32_t frameNumber : {0u, 1u, 77'777u, 0x80000000u, 0xFFFFFFFFu}) {
      const FrameCode code{.sourceId = 9, .frameNumber = frameNumber, .releaseTimeUs = kCode.releaseTimeUs};
      stampInto(*owned, code);
      const CodeReading reading = readFrom(*owned);
      EXPECT_EQ(reading.status, PictureStatus::Good);
      EXPECT_EQ(reading.code, code);
      EXPECT_FLOAT_EQ(reading.health, 1);
    }
  }
}

TEST_P(CodeInShape, IsStampedAsTheFormulaOfTheFormatSaysAndNothingElseIsTouched) {
  const auto [width, height, format] = GetParam();
  OwnedPicture owned(width, height, format, 20);
  owned.fillRandom(1);
  const OwnedPicture before = owned;
  stampInto(owned, kCode);

  const CodeBytes top = encode(kCode, Strip::Top);
  const CodeBytes bottom = encode(kCode, Strip::Bottom);
  const int pixelBytes = bytesPerPixel(format);
  for (int y = 0; y < height; ++y) {
    const int index = (2 * y + 1) * 45 / height;
    const bool inStrip = index <= 1 || index >= 88;
    for (int x = 0; x < width; ++x) {
      const int bit = index % 2 * 64 + (2 * x + 1) * 32 / width;
      const CodeBytes& bytes = index <= 1 ? top : bottom;
      const bool one = (bytes[static_cast<size_t>(bit) / 8] >> (7 - bit % 8) & 1) == 1;
      for (int byte = 0; byte < pixelBytes; ++byte) {
        int expected = rowOf(before.view(), y)[x * pixelBytes + byte];
        if (inStrip && format == PixelFormat::Uyvy) expected = byte == 0 ? 128 : one ? 235 : 16;
        if (inStrip && format == PixelFormat::Bgra) expected = one || byte == 3 ? 255 : 0;
        const int stamped = rowOf(owned.view(), y)[x * pixelBytes + byte];
        // Far cheaper than an assertion for each byte of a 4K picture.
        if (stamped != expected)
          FAIL() << "pixel " << x << ", " << y << ": " << stamped << ", not " << expected;
      }
    }
  }
  EXPECT_TRUE(owned.paddingIsUntouched());
}

TEST_P(CodeInShape, DependsOnlyOnTheNineInnermostPixelsOfACell) {
  const auto [width, height, format] = GetParam();
  OwnedPicture owned = stampedNoise(width, height, format);
  const OwnedPicture clean = owned;
  const StripGeometry geometry(width, height);
  // Spoil everything but the 3×3 pixels around each cell's centre (all of a cell that is no larger).
  for (const Strip strip : {Strip::Top, Strip::Bottom}) {
    for (int row = 0; row < StripGeometry::kRows; ++row) {
      for (int column = 0; column < StripGeometry::kColumns; ++column) {
        const Cell cell = cellOf(owned, strip, row, column);
        const bool tallEnough = cell.bottom - cell.top > 4;
        const int centreX = geometry.columnCentre(column);
        const int centreY = geometry.rowCentre(strip, row);
        for (int y = cell.top; y < cell.bottom; ++y) {
          for (int x = cell.left; x < cell.right; ++x) {
            const bool outside = std::abs(x - centreX) > 1 || (tallEnough && std::abs(y - centreY) > 1);
            if (outside) owned.setLuma(x, y, static_cast<uint8_t>(255 - clean.luma(x, y)));
          }
        }
      }
    }
  }
  const CodeReading reading = readFrom(owned);
  EXPECT_EQ(reading.status, PictureStatus::Good);
  EXPECT_EQ(reading.code, kCode);
  EXPECT_FLOAT_EQ(reading.health, 1);
}

TEST_P(CodeInShape, EverySingleWrongCellIsCaughtAndTheOtherStripStillCounts) {
  const auto [width, height, format] = GetParam();
  OwnedPicture owned = stampedNoise(width, height, format);
  const CodeReader reader(width, height, format);
  for (const Strip strip : {Strip::Top, Strip::Bottom}) {
    for (int row = 0; row < StripGeometry::kRows; ++row) {
      for (int column = 0; column < StripGeometry::kColumns; ++column) {
        const Cell cell = cellOf(owned, strip, row, column);
        const bool one = owned.luma(cell.left, cell.top) > 128;
        flip(owned, cell);
        const CodeReading reading = reader.read(owned.view());
        EXPECT_EQ(reading.status, PictureStatus::Damaged) << "row " << row << " column " << column;
        EXPECT_EQ(reading.code, kCode);
        EXPECT_FLOAT_EQ(reading.health, 1);
        flip(owned, cell);
        ASSERT_EQ(owned.luma(cell.left, cell.top) > 128, one);
      }
    }
  }
  EXPECT_EQ(reader.read(owned.view()).status, PictureStatus::Good);
}

class CodeInFormat : public testing::TestWithParam<PixelFormat> {};

INSTANTIATE_TEST_SUITE_P(Formats, CodeInFormat, testing::Values(PixelFormat::Uyvy, PixelFormat::Bgra),
                         [](const auto& info) { return info.param == PixelFormat::Uyvy ? "Uyvy" : "Bgra"; });

TEST_P(CodeInFormat, IsReadFromScaledPictures) {
  const OwnedPicture original = stampedNoise(1280, 720, GetParam());
  const auto healthAt = [&](int width, int height) {
    const CodeReading reading = readFrom(boxScaled(original, width, height));
    EXPECT_EQ(reading.status, PictureStatus::Good) << width << "x" << height;
    EXPECT_EQ(reading.code, kCode);
    return reading.health;
  };
  EXPECT_GT(healthAt(640, 360), 0.99F);
  EXPECT_GT(healthAt(330, 198), 0.75F);
  EXPECT_GT(healthAt(1920, 1080), 0.99F);
  // Smaller than may be stamped, as the low-bandwidth picture of a small stream is.
  EXPECT_GT(healthAt(160, 90), 0.5F);
}

TEST_P(CodeInFormat, TornPicturesCountAsTheLaterNumberAcrossTheWrap) {
  const auto readTorn = [&](uint32_t topNumber, uint32_t bottomNumber) {
    OwnedPicture top = stampedNoise(640, 360, GetParam(), {1, topNumber, 1000});
    const OwnedPicture bottom = stampedNoise(640, 360, GetParam(), {1, bottomNumber, 2000});
    const auto half = static_cast<ptrdiff_t>(top.bytes().size() / 2);
    std::copy(bottom.bytes().begin() + half, bottom.bytes().end(), top.bytes().begin() + half);
    return readFrom(top);
  };
  EXPECT_EQ(readTorn(5, 6).status, PictureStatus::Torn);
  EXPECT_EQ(readTorn(5, 6).code, (FrameCode{1, 6, 2000}));
  EXPECT_EQ(readTorn(6, 5).code, (FrameCode{1, 6, 1000}));
  EXPECT_EQ(readTorn(0xFFFFFFFF, 0).code, (FrameCode{1, 0, 2000}));
  EXPECT_EQ(readTorn(0, 0xFFFFFFFF).code, (FrameCode{1, 0, 1000}));
  // The same number released twice is torn as well: bytes 8 to 13 differ.
  EXPECT_EQ(readTorn(7, 7).status, PictureStatus::Torn);
}

TEST_P(CodeInFormat, PicturesTornBetweenTwoSourcesCountAsTheOneReleasedLater) {
  constexpr uint64_t kLastTime = (uint64_t{1} << 48) - 1;
  const auto readTorn = [&](const FrameCode& topCode, const FrameCode& bottomCode) {
    OwnedPicture top = stampedNoise(640, 360, GetParam(), topCode);
    const OwnedPicture bottom = stampedNoise(640, 360, GetParam(), bottomCode);
    const auto half = static_cast<ptrdiff_t>(top.bytes().size() / 2);
    std::copy(bottom.bytes().begin() + half, bottom.bytes().end(), top.bytes().begin() + half);
    return readFrom(top);
  };
  // One has played for long, the other began just now.
  const FrameCode old{1, 90'000, 1000};
  const FrameCode young{2, 3, 2000};
  EXPECT_EQ(readTorn(old, young).status, PictureStatus::Torn);
  EXPECT_EQ(readTorn(old, young).code, young);
  EXPECT_EQ(readTorn(young, old).code, young);
  const FrameCode before{1, 90'000, kLastTime};
  EXPECT_EQ(readTorn(before, {2, 3, 5}).code, (FrameCode{2, 3, 5}));
  EXPECT_EQ(readTorn({2, 3, 5}, before).code, (FrameCode{2, 3, 5}));
}

TEST_P(CodeInFormat, DamagedPicturesCountAsTheValidStrip) {
  OwnedPicture topGone = stampedNoise(640, 360, GetParam());
  topGone.fillLuma(0, 0, 640, 8, 90);
  EXPECT_EQ(readFrom(topGone).status, PictureStatus::Damaged);
  EXPECT_EQ(readFrom(topGone).code, kCode);

  OwnedPicture bottomGone = stampedNoise(640, 360, GetParam());
  bottomGone.fillLuma(0, 352, 640, 360, 90);
  EXPECT_EQ(readFrom(bottomGone).status, PictureStatus::Damaged);
  EXPECT_EQ(readFrom(bottomGone).code, kCode);
}

TEST_P(CodeInFormat, PicturesWithoutACodeAreUndecodable) {
  for (const int value : {0, 16, 128, 255}) {
    OwnedPicture flat(640, 360, GetParam());
    flat.fillBytes(static_cast<uint8_t>(value));
    expectUndecodable(readFrom(flat));
  }
  for (uint32_t seed = 0; seed < 200; ++seed) {
    OwnedPicture noise(320, 180, GetParam());
    noise.fillRandom(seed);
    expectUndecodable(readFrom(noise));
  }
  OwnedPicture inverted = stampedNoise(640, 360, GetParam());
  for (uint8_t& byte : inverted.bytes()) byte = static_cast<uint8_t>(255 - byte);
  expectUndecodable(readFrom(inverted));
}

TEST_P(CodeInFormat, ASourceIdOfZeroIsNoCode) {
  expectUndecodable(readFrom(stampedNoise(640, 360, GetParam(), {0, 1, 1})));
}

TEST_P(CodeInFormat, PicturesTooSmallForTheCellsAreUndecodable) {
  for (const auto& [width, height] : {std::pair{62, 90}, {64, 88}, {2, 2}}) {
    OwnedPicture small(width, height, GetParam());
    small.fillRandom(3);
    expectUndecodable(readFrom(small));
  }
}

TEST_P(CodeInFormat, HealthIsTheWeakestCellAsAShareOfTheSyncsContrast) {
  for (const double contrast : {0.9, 0.5, 0.2}) {
    OwnedPicture owned = stampedNoise(1280, 720, GetParam());
    const Cell weak = cellOf(owned, Strip::Bottom, 1, 40);
    flip(owned, weak);
    flip(owned, weak, contrast);
    const CodeReading reading = readFrom(owned);
    EXPECT_EQ(reading.status, PictureStatus::Good);
    EXPECT_NEAR(reading.health, contrast, 0.01);
  }
}

TEST_P(CodeInFormat, LevelsAreThoseOfTheStripWithLessContrast) {
  const float whole = readFrom(stampedNoise(1280, 720, GetParam())).levels.contrast();
  for (const auto& [top, bottom] : {std::pair(0, 16), std::pair(704, 720)}) {
    OwnedPicture owned = stampedNoise(1280, 720, GetParam());
    for (int y = top; y < bottom; ++y) {
      for (int x = 0; x < 1280; ++x) {
        const int luma = 128 + (owned.luma(x, y) - 128) / 2;
        owned.setLuma(x, y, static_cast<uint8_t>(luma));
      }
    }
    const CodeReading reading = readFrom(owned);
    EXPECT_EQ(reading.status, PictureStatus::Good);
    EXPECT_NEAR(reading.levels.contrast(), whole / 2, 2);
  }
}

TEST_P(CodeInFormat, HealthOfADamagedPictureIsThatOfItsValidStrip) {
  OwnedPicture owned = stampedNoise(1280, 720, GetParam());
  const Cell weak = cellOf(owned, Strip::Bottom, 1, 40);
  flip(owned, weak);
  flip(owned, weak, 0.5);
  owned.fillLuma(0, 0, 1280, 16, 90);
  const CodeReading reading = readFrom(owned);
  EXPECT_EQ(reading.status, PictureStatus::Damaged);
  EXPECT_NEAR(reading.health, 0.5, 0.01);
}

TEST_P(CodeInFormat, HealthFallsAsTheContrastSinksIntoNoise) {
  float previousHealth = 2;
  for (const double contrast : {1.0, 0.6, 0.3}) {
    OwnedPicture owned = stampedNoise(640, 360, GetParam());
    OwnedPicture noise(640, 360, GetParam());
    noise.fillRandom(11);
    for (int y = 0; y < 360; ++y) {
      for (int x = 0; x < 640; ++x) {
        const double signal = (owned.luma(x, y) - 128) * contrast;
        const double disturbance = (noise.luma(x, y) - 128) * 0.1;
        owned.setLuma(x, y, static_cast<uint8_t>(std::clamp(128 + signal + disturbance, 0.0, 255.0)));
      }
    }
    const CodeReading reading = readFrom(owned);
    EXPECT_EQ(reading.status, PictureStatus::Good);
    EXPECT_LT(reading.health, previousHealth);
    EXPECT_GT(reading.health, 0.3F);
    previousHealth = reading.health;
  }
  EXPECT_LT(previousHealth, 0.9F);
}

}  // namespace
}  // namespace whiteline
