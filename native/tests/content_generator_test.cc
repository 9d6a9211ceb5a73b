#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <string>
#include <vector>

#include "native/content/generator.h"

namespace whiteline {
namespace {

using Bytes = std::vector<uint8_t>;

ClipShape shapeOf(int width, int height, uint32_t framesPerSecond, uint32_t seconds) {
  return {width, height, {framesPerSecond, 1}, framesPerSecond * seconds};
}

/** One clip and the frames painted of it, packed. */
class Clip {
 public:
  Clip(const std::string& name, const ClipShape& shape)
      : shape_(shape), generator_(makeGenerator(name, shape)) {}

  Bytes frame(uint32_t number, unsigned threads = 1) {
    Bytes bytes(pictureBytes(shape_.width, shape_.height, PixelFormat::Bgra), 0x55);
    const int stride = packedStride(shape_.width, PixelFormat::Bgra);
    paintFrame(*generator_, number, {bytes.data(), stride, shape_.width, shape_.height, PixelFormat::Bgra},
               threads);
    return bytes;
  }

 private:
  ClipShape shape_;
  std::unique_ptr<Generator> generator_;
};

/** Mean difference of two pictures, in levels. */
double distance(const Bytes& one, const Bytes& other) {
  double sum = 0;
  for (size_t index = 0; index < one.size(); ++index) sum += std::abs(one[index] - other[index]);
  return sum / static_cast<double>(one.size());
}

/** The means of 16 × 9 fields, channel by channel. */
std::vector<double> coarse(const Bytes& bytes, int width, int height) {
  constexpr int kAcross = 16, kDown = 9;
  std::vector<double> fields(kAcross * kDown * 3);
  const double pixelsPerField = static_cast<double>(width / kAcross) * (height / kDown);
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      const int field = y * kDown / height * kAcross + x * kAcross / width;
      for (int channel = 0; channel < 3; ++channel) {
        fields[static_cast<size_t>(3 * field + channel)] +=
            bytes[static_cast<size_t>(4 * (y * width + x) + channel)] / pixelsPerField;
      }
    }
  }
  return fields;
}

class EveryGenerator : public testing::TestWithParam<std::string> {};

TEST_P(EveryGenerator, paintsTheSameFrameAgainWhateverWasPaintedBefore) {
  const ClipShape shape = shapeOf(336, 196, 30, 2);
  Clip clip(GetParam(), shape);
  const Bytes first = clip.frame(7);
  clip.frame(31);
  EXPECT_EQ(clip.frame(7, 3), first);
  EXPECT_EQ(Clip(GetParam(), shape).frame(7), first);
}

TEST_P(EveryGenerator, paintsEveryPixelOpaqueAndNothingBesideThePicture) {
  constexpr int kWidth = 101, kHeight = 75, kStride = 4 * kWidth + 12;
  const ClipShape shape = shapeOf(kWidth, kHeight, 25, 1);
  const auto generator = makeGenerator(GetParam(), shape);
  Bytes bytes(size_t{kStride} * kHeight, 0x55);
  paintFrame(*generator, 3, {bytes.data(), kStride, kWidth, kHeight, PixelFormat::Bgra}, 2);
  for (int y = 0; y < kHeight; ++y) {
    for (int x = 0; x < kStride; ++x) {
      const uint8_t byte = bytes[static_cast<size_t>(y * kStride + x)];
      if (x >= 4 * kWidth) {
        ASSERT_EQ(byte, 0x55) << "beside row " << y;
      } else if (x % 4 == 3) {
        ASSERT_EQ(byte, 255) << "alpha of row " << y;
      }
    }
  }
}

TEST_P(EveryGenerator, moves) {
  Clip clip(GetParam(), shapeOf(320, 180, 30, 2));
  const Bytes first = clip.frame(0);
  if (GetParam() == "black") {
    EXPECT_EQ(clip.frame(1), first);
    EXPECT_EQ(*std::max_element(first.begin(), first.end()), 255);
    EXPECT_EQ(std::count(first.begin(), first.end(), 0), 3 * 320 * 180);
  } else {
    EXPECT_GT(distance(clip.frame(1), first), 0.1);
  }
}

TEST_P(EveryGenerator, endsWhereItBegins) {
  // So many frames a second that each moves by a fraction of a pixel: a jump at the loop's end would stand
  // out.
  const ClipShape shape = shapeOf(320, 180, 900, 4);
  Clip clip(GetParam(), shape);
  const Bytes beforeLast = clip.frame(shape.frames - 2);
  const Bytes last = clip.frame(shape.frames - 1);
  const Bytes first = clip.frame(0);
  const Bytes second = clip.frame(1);
  const double step = std::max(distance(beforeLast, last), distance(first, second));
  if (GetParam() == "cuts") {
    EXPECT_GT(distance(last, first), 10 * step) << "the end of the last scene is a cut like any other";
  } else {
    EXPECT_LE(distance(last, first), 1.5 * step);
  }
}

TEST_P(EveryGenerator, looksTheSameAtEverySize) {
  if (GetParam() == "zone-plate") {
    // Its rings become as fine as the picture's own pixels.
    return;
  }
  const Bytes small = Clip(GetParam(), shapeOf(480, 270, 30, 4)).frame(50);
  const Bytes large = Clip(GetParam(), shapeOf(960, 540, 30, 4)).frame(50);
  const std::vector<double> ofSmall = coarse(small, 480, 270);
  const std::vector<double> ofLarge = coarse(large, 960, 540);
  for (size_t field = 0; field < ofSmall.size(); ++field) {
    ASSERT_NEAR(ofSmall[field], ofLarge[field], 14) << "field " << field / 3;
  }
}

INSTANTIATE_TEST_SUITE_P(ContentGenerators, EveryGenerator,
                         testing::ValuesIn(std::vector<std::string>(generatorNames().begin(),
                                                                    generatorNames().end())),
                         [](const auto& info) {
                           std::string name = info.param;
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

TEST(ContentGenerators, speedIsPerSecondWhateverTheRate) {
  // Noise, grain and dither are new in each frame; these have none.
  for (const char* name : {"cuts", "gradients", "particles", "shader", "text-crawl", "zone-plate"}) {
    EXPECT_EQ(Clip(name, shapeOf(320, 180, 25, 3)).frame(20), Clip(name, shapeOf(320, 180, 50, 3)).frame(40))
        << name;
  }
}

TEST(ContentGenerators, cutsComeOnceASecond) {
  Clip clip("cuts", shapeOf(160, 90, 60, 4));
  Bytes before = clip.frame(0);
  for (uint32_t frame = 1; frame < 240; ++frame) {
    const Bytes now = clip.frame(frame);
    if (frame % 60 == 0) {
      EXPECT_GT(distance(before, now), 20) << "no cut before frame " << frame;
    } else {
      EXPECT_LT(distance(before, now), 10) << "a cut before frame " << frame;
    }
    before = now;
  }
}

TEST(ContentGenerators, noiseIsSpreadEvenlyAndNewInEveryFrame) {
  Clip clip("noise", shapeOf(320, 180, 30, 1));
  const Bytes one = clip.frame(0);
  // Two numbers by chance from 0 to 255 are 85 apart in the mean; a quarter of the bytes is alpha.
  EXPECT_NEAR(distance(one, clip.frame(1)), 85 * 0.75, 1);
  std::vector<int> counts(256);
  for (size_t index = 0; index < one.size(); ++index) {
    if (index % 4 != 3) ++counts[one[index]];
  }
  const auto [fewest, most] = std::minmax_element(counts.begin(), counts.end());
  EXPECT_GT(*fewest, 320 * 180 * 3 / 256 * 0.8);
  EXPECT_LT(*most, 320 * 180 * 3 / 256 * 1.2);
}

TEST(ContentGenerators, theZonePlateReachesThePixelsAtItsEdges) {
  const Bytes frame = Clip("zone-plate", shapeOf(640, 360, 30, 1)).frame(0);
  const auto greyAt = [&](int x) {
    return static_cast<int>(frame[static_cast<size_t>(4 * (180 * 640 + x))]);
  };
  // Black and white take turns from pixel to pixel at the edge; around the centre all is smooth.
  for (int x = 2; x < 8; ++x) EXPECT_LT((greyAt(x) - greyAt(x - 1)) * (greyAt(x + 1) - greyAt(x)), 0) << x;
  for (int x = 316; x < 324; ++x) EXPECT_LT(std::abs(greyAt(x) - greyAt(x + 1)), 12) << x;
}

TEST(ContentGenerators, anUnknownNameIsNothing) {
  EXPECT_EQ(makeGenerator("flare", shapeOf(320, 180, 30, 1)), nullptr);
  EXPECT_TRUE(std::is_sorted(generatorNames().begin(), generatorNames().end()));
}

}  // namespace
}  // namespace whiteline
