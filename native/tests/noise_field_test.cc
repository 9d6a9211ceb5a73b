#include "native/media/pattern/noise_field.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>

#include "native/tests/test_picture.h"

namespace whiteline {
namespace {

using test::OwnedPicture;

OwnedPicture noise(PixelFormat format, uint64_t seed, uint32_t frameNumber, int paddingBytes = 0) {
  OwnedPicture picture(64, 36, format, paddingBytes);
  NoiseField(64, 36, format, seed).paint(picture.picture(), frameNumber);
  return picture;
}

TEST(NoiseField, IsTheSameForTheSameFrameAndSeedOnly) {
  for (const PixelFormat format : {PixelFormat::Uyvy, PixelFormat::Bgra}) {
    EXPECT_EQ(noise(format, 1, 5).bytes(), noise(format, 1, 5).bytes());
    EXPECT_NE(noise(format, 1, 5).bytes(), noise(format, 2, 5).bytes());
  }
}

TEST(NoiseField, DiffersInEveryOneOfManyFrames) {
  const NoiseField field(64, 36, PixelFormat::Uyvy, 3);
  OwnedPicture picture(64, 36, PixelFormat::Uyvy);
  std::set<std::string> beginnings;
  constexpr uint32_t kFrames = 65'536;
  for (uint32_t frame = 0; frame < kFrames; ++frame) {
    field.paint(picture.picture(), frame);
    beginnings.emplace(picture.bytes().begin(), picture.bytes().begin() + 32);
  }
  EXPECT_EQ(beginnings.size(), kFrames);
}

TEST(NoiseField, UsesTheFullVideoLevelsOfUyvyAndNoOthers) {
  const OwnedPicture picture = noise(PixelFormat::Uyvy, 9, 0);
  uint8_t lumaLow = 255, lumaHigh = 0, chromaLow = 255, chromaHigh = 0;
  for (size_t index = 0; index < picture.bytes().size(); ++index) {
    uint8_t& low = index % 2 == 1 ? lumaLow : chromaLow;
    uint8_t& high = index % 2 == 1 ? lumaHigh : chromaHigh;
    low = std::min(low, picture.bytes()[index]);
    high = std::max(high, picture.bytes()[index]);
  }
  EXPECT_EQ(lumaLow, 16);
  EXPECT_EQ(lumaHigh, 235);
  EXPECT_EQ(chromaLow, 16);
  EXPECT_EQ(chromaHigh, 240);
}

TEST(NoiseField, BgraIsOpaqueAndUsesEveryLevel) {
  const OwnedPicture picture = noise(PixelFormat::Bgra, 9, 0);
  std::set<uint8_t> levels;
  for (size_t index = 0; index < picture.bytes().size(); ++index) {
    if (index % 4 == 3) {
      ASSERT_EQ(picture.bytes()[index], 255);
    } else {
      levels.insert(picture.bytes()[index]);
    }
  }
  EXPECT_EQ(levels.size(), 256u);
}

TEST(NoiseField, PaddedRowsCarryTheSamePixels) {
  for (const PixelFormat format : {PixelFormat::Uyvy, PixelFormat::Bgra}) {
    const OwnedPicture packed = noise(format, 4, 77);
    const OwnedPicture padded = noise(format, 4, 77, 12);
    EXPECT_TRUE(padded.paddingIsUntouched());
    const int rowBytes = packedStride(64, format);
    for (int y = 0; y < 36; ++y) {
      EXPECT_TRUE(
          std::equal(rowOf(packed.view(), y), rowOf(packed.view(), y) + rowBytes, rowOf(padded.view(), y)));
    }
  }
}

}  // namespace
}  // namespace whiteline
