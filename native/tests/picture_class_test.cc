#include "native/media/pattern/picture_class.h"

#include <gtest/gtest.h>

#include <utility>

#include "native/tests/test_picture.h"

namespace whiteline {
namespace {

using test::OwnedPicture;

constexpr PixelFormat kBothFormats[] = {PixelFormat::Uyvy, PixelFormat::Bgra};

struct Colour {
  /** U, luma, V of video levels. */
  uint8_t uyv[3];
  uint8_t bgr[3];
};

constexpr Colour kBlack{{128, 16, 128}, {0, 0, 0}};
constexpr Colour kGreen{{63, 133, 52}, {0, 191, 0}};
constexpr Colour kRed{{102, 51, 212}, {0, 0, 191}};
constexpr Colour kGrey{{128, 126, 128}, {128, 128, 128}};

/** Left edge is even. */
void fill(OwnedPicture& picture, int left, int right, const Colour& colour) {
  const Picture target = picture.picture();
  for (int y = 0; y < target.height; ++y) {
    for (int x = left; x < right; ++x) {
      uint8_t* const pixel = rowOf(target, y) + packedStride(x, target.format);
      if (target.format == PixelFormat::Uyvy) {
        pixel[0] = colour.uyv[x % 2 == 0 ? 0 : 2];
        pixel[1] = colour.uyv[1];
      } else {
        for (int channel = 0; channel < 3; ++channel) pixel[channel] = colour.bgr[channel];
      }
    }
  }
}

OwnedPicture filled(PixelFormat format, const Colour& colour, int width = 1280, int height = 720) {
  OwnedPicture picture(width, height, format);
  fill(picture, 0, width, colour);
  return picture;
}

OwnedPicture random(PixelFormat format, uint32_t seed) {
  OwnedPicture picture(1280, 720, format);
  picture.fillRandom(seed);
  return picture;
}

TEST(PictureClassifier, BlackAndGreenStayWhatTheyAreWhenRepeated) {
  for (const PixelFormat format : kBothFormats) {
    PictureClassifier classifier;
    for (int repeat = 0; repeat < 3; ++repeat) {
      EXPECT_EQ(classifier.classify(filled(format, kBlack).view()), PictureClass::Black);
      EXPECT_EQ(classifier.classify(filled(format, kGreen).view()), PictureClass::SolidGreen);
    }
  }
}

TEST(PictureClassifier, ABufferOfZerosIsSolidGreenInUyvyAndBlackInBgra) {
  for (const auto& [width, height] : {std::pair{640, 360}, std::pair{1280, 720}}) {
    OwnedPicture uyvy(width, height, PixelFormat::Uyvy);
    uyvy.fillBytes(0);
    EXPECT_EQ(PictureClassifier().classify(uyvy.view()), PictureClass::SolidGreen);
    OwnedPicture bgra(width, height, PixelFormat::Bgra);
    bgra.fillBytes(0);
    EXPECT_EQ(PictureClassifier().classify(bgra.view()), PictureClass::Black);
  }
}

TEST(PictureClassifier, RecognisesThePlaceholderByItsTwoBars) {
  for (const PixelFormat format : kBothFormats) {
    OwnedPicture picture = filled(format, kBlack);
    fill(picture, 200, 300, kGreen);
    EXPECT_EQ(PictureClassifier().classify(picture.view()), PictureClass::Other);
    fill(picture, 900, 1000, kRed);
    PictureClassifier classifier;
    EXPECT_EQ(classifier.classify(picture.view()), PictureClass::Placeholder);
    EXPECT_EQ(classifier.classify(picture.view()), PictureClass::Placeholder);
  }
}

TEST(PictureClassifier, FrozenIsTheSameAsTheOneBefore) {
  for (const PixelFormat format : kBothFormats) {
    PictureClassifier classifier;
    EXPECT_EQ(classifier.classify(random(format, 1).view()), PictureClass::Other);
    EXPECT_EQ(classifier.classify(random(format, 1).view()), PictureClass::Frozen);
    EXPECT_EQ(classifier.classify(random(format, 2).view()), PictureClass::Other);
    EXPECT_EQ(classifier.classify(random(format, 1).view()), PictureClass::Other);
    EXPECT_EQ(classifier.classify(random(format, 1).view()), PictureClass::Frozen);
  }
}

TEST(PictureClassifier, GreyIsOther) {
  for (const PixelFormat format : kBothFormats) {
    EXPECT_EQ(PictureClassifier().classify(filled(format, kGrey).view()), PictureClass::Other);
  }
}

TEST(PictureClassifier, TakesTinyPictures) {
  for (const PixelFormat format : kBothFormats) {
    EXPECT_EQ(PictureClassifier().classify(filled(format, kBlack, 2, 2).view()), PictureClass::Black);
  }
}

}  // namespace
}  // namespace whiteline
