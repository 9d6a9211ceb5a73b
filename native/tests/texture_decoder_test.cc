#include "native/media/hap/texture_decoder.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <ostream>
#include <string>

#include "native/tests/test_picture.h"
#include "native/tests/texture_reference.h"
#include "native/tests/texture_test_blocks.h"

namespace whiteline {
namespace {

using test::OwnedPicture;
using test::ReferencePicture;
using test::TestTexture;

/** What is decoded into what. */
struct Conversion {
  const char* name;
  TextureFormat format;
  bool alphaBlocks;
  PixelFormat target;
  bool over;
};

void PrintTo(const Conversion& conversion, std::ostream* stream) {
  *stream << conversion.name;
}

constexpr Conversion kConversions[] = {
    {"HapToUyvy", TextureFormat::Bc1Rgb, false, PixelFormat::Uyvy, false},
    {"HapToBgra", TextureFormat::Bc1Rgb, false, PixelFormat::Bgra, false},
    {"HapAlphaToUyvy", TextureFormat::Bc3Rgba, false, PixelFormat::Uyvy, false},
    {"HapAlphaToBgra", TextureFormat::Bc3Rgba, false, PixelFormat::Bgra, false},
    {"HapAlphaOverUyvy", TextureFormat::Bc3Rgba, false, PixelFormat::Uyvy, true},
    {"HapAlphaOverBgra", TextureFormat::Bc3Rgba, false, PixelFormat::Bgra, true},
    {"HapQToUyvy", TextureFormat::Bc3ScaledYCoCg, false, PixelFormat::Uyvy, false},
    {"HapQToBgra", TextureFormat::Bc3ScaledYCoCg, false, PixelFormat::Bgra, false},
    {"HapQAlphaToUyvy", TextureFormat::Bc3ScaledYCoCg, true, PixelFormat::Uyvy, false},
    {"HapQAlphaToBgra", TextureFormat::Bc3ScaledYCoCg, true, PixelFormat::Bgra, false},
    {"HapQAlphaOverUyvy", TextureFormat::Bc3ScaledYCoCg, true, PixelFormat::Uyvy, true},
    {"HapQAlphaOverBgra", TextureFormat::Bc3ScaledYCoCg, true, PixelFormat::Bgra, true},
    {"AlphaOnlyToUyvy", TextureFormat::Bc4Alpha, false, PixelFormat::Uyvy, false},
    {"AlphaOnlyToBgra", TextureFormat::Bc4Alpha, false, PixelFormat::Bgra, false},
};

constexpr int kPaddingBytes = 8;

/** A decoded picture with its background, both with padded rows. */
class Decoded {
 public:
  Decoded(const HapTexture& texture, PixelFormat format, bool over, InstructionSet instructions)
      : target_((texture.width + 1) / 2 * 2, texture.height, format, kPaddingBytes),
        background_((texture.width + 1) / 2 * 2, texture.height, format, kPaddingBytes / 2) {
    background_.fillRandom(77);
    const PictureView behind = background_.view();
    decodeTexture(texture, target_.picture(), over ? &behind : nullptr, instructions);
    EXPECT_TRUE(target_.paddingIsUntouched());
  }

  const std::vector<uint8_t>& bytes() const { return target_.bytes(); }
  PictureView view() const { return target_.view(); }
  PictureView background() const { return background_.view(); }

 private:
  OwnedPicture target_;
  OwnedPicture background_;
};

/** The most steps that any byte is away from the reference. */
int mostSteps(const Decoded& decoded, const ReferencePicture& reference, PixelFormat format, bool over) {
  const PictureView background = decoded.background();
  const std::vector<double> expected = reference.bytes(format, over ? &background : nullptr);
  const PictureView picture = decoded.view();
  const int rowBytes = packedStride(picture.width, format);
  int most = 0;
  for (int y = 0; y < picture.height; ++y) {
    for (int byte = 0; byte < rowBytes; ++byte) {
      const double nearest = std::floor(expected[static_cast<size_t>(y * rowBytes + byte)] + 0.5);
      most = std::max(most, static_cast<int>(std::abs(rowOf(picture, y)[byte] - nearest)));
    }
  }
  return most;
}

class TextureConversion : public testing::TestWithParam<Conversion> {};

TEST_P(TextureConversion, IsWithinOneStepOfTheReference) {
  const auto [name, format, alphaBlocks, target, over] = GetParam();
  // BT.601, and BT.709.
  for (const auto& [width, height] : {std::pair{512, 384}, std::pair{256, 736}}) {
    for (uint64_t seed = 1; seed <= 2; ++seed) {
      const TestTexture made(format, width, height, seed, alphaBlocks);
      const ReferencePicture reference(made.texture());
      const Decoded decoded(made.texture(), target, over, InstructionSet::Scalar);
      EXPECT_LE(mostSteps(decoded, reference, target, over), 1) << width << "×" << height;
    }
  }
}

TEST_P(TextureConversion, OfOddSizesIsWithinOneStepOfTheReference) {
  const auto [name, format, alphaBlocks, target, over] = GetParam();
  for (const auto& [width, height] :
       {std::pair{127, 71}, std::pair{1, 1}, std::pair{2, 3}, std::pair{35, 722}, std::pair{30, 721}}) {
    const TestTexture made(format, width, height, 5, alphaBlocks);
    const ReferencePicture reference(made.texture());
    for (const InstructionSet instructions : availableInstructionSets()) {
      const Decoded decoded(made.texture(), target, over, instructions);
      EXPECT_LE(mostSteps(decoded, reference, target, over), 1)
          << width << "×" << height << ' ' << nameOf(instructions);
    }
  }
}

TEST_P(TextureConversion, IsTheSameInEveryInstructionSet) {
  const auto [name, format, alphaBlocks, target, over] = GetParam();
  ASSERT_GE(availableInstructionSets().size(), 2u) << "this processor has none of the sets that we know";
  struct Size {
    int width;
    int height;
  };
  // All remainders of the kernels' steps, and whole and partial blocks at both edges.
  constexpr Size kSizes[] = {{1920, 540}, {966, 723}, {132, 8}, {136, 8},
                             {140, 8},    {127, 71},  {18, 40}, {6, 5}};
  size_t blocks = 0;
  for (const auto& [width, height] : kSizes) {
    const TestTexture made(format, width, height, 11 + static_cast<uint64_t>(width), alphaBlocks);
    blocks += static_cast<size_t>(blocksAcross(width) * blocksAcross(height));
    const Decoded scalar(made.texture(), target, over, InstructionSet::Scalar);
    for (const InstructionSet instructions : availableInstructionSets()) {
      const Decoded decoded(made.texture(), target, over, instructions);
      EXPECT_TRUE(decoded.bytes() == scalar.bytes()) << width << "×" << height << ' ' << nameOf(instructions);
    }
  }
  EXPECT_GT(blocks * std::size(kConversions), 1'000'000u);
}

INSTANTIATE_TEST_SUITE_P(Every, TextureConversion, testing::ValuesIn(kConversions),
                         [](const auto& tested) { return std::string(tested.param.name); });

/** What a picture of one block becomes, packed. */
std::vector<uint8_t> decodedBlock(TextureFormat format, const std::vector<uint8_t>& block,
                                  PixelFormat target = PixelFormat::Bgra, int height = 4) {
  std::vector<uint8_t> blocks;
  for (int row = 0; row < blocksAcross(height); ++row)
    blocks.insert(blocks.end(), block.begin(), block.end());
  OwnedPicture picture(4, height, target);
  decodeTexture(
      {.format = format, .blocks = blocks.data(), .alphaBlocks = nullptr, .width = 4, .height = height},
      picture.picture(), nullptr, InstructionSet::Scalar);
  return picture.bytes();
}

/** Three bits for each pixel. */
std::vector<uint8_t> alphaBlock(int first, int second, const std::array<int, 16>& indices) {
  std::vector<uint8_t> block{static_cast<uint8_t>(first), static_cast<uint8_t>(second)};
  uint64_t bits = 0;
  for (int pixel = 0; pixel < 16; ++pixel) {
    bits |= static_cast<uint64_t>(indices[static_cast<size_t>(pixel)]) << 3 * pixel;
  }
  for (int byte = 0; byte < 6; ++byte) block.push_back(static_cast<uint8_t>(bits >> 8 * byte));
  return block;
}

TEST(TexturePalette, OfAlphaIsTheReferenceForEveryPairOfLevels) {
  constexpr std::array<int, 16> kIndices{0, 1, 2, 3, 4, 5, 6, 7, 7, 6, 5, 4, 3, 2, 1, 0};
  for (const InstructionSet instructions : availableInstructionSets()) {
    // One picture of all pairs: each row of blocks has one first level.
    std::vector<uint8_t> blocks;
    for (int pair = 0; pair < 256 * 256; ++pair) {
      const std::vector<uint8_t> block = alphaBlock(pair / 256, pair % 256, kIndices);
      blocks.insert(blocks.end(), block.begin(), block.end());
    }
    const HapTexture texture{.format = TextureFormat::Bc4Alpha,
                             .blocks = blocks.data(),
                             .alphaBlocks = nullptr,
                             .width = 1024,
                             .height = 1024};
    OwnedPicture picture(1024, 1024, PixelFormat::Bgra);
    decodeTexture(texture, picture.picture(), nullptr, instructions);
    size_t differences = 0;
    for (int pair = 0; pair < 256 * 256; ++pair) {
      const std::array<double, 16> expected =
          test::referenceAlpha(blocks.data() + 8 * static_cast<size_t>(pair));
      for (int pixel = 0; pixel < 16; ++pixel) {
        const int x = 4 * (pair % 256) + pixel % 4;
        const int y = 4 * (pair / 256) + pixel / 4;
        const uint8_t* found = rowOf(picture.view(), y) + 4 * x;
        const auto level = static_cast<uint8_t>(expected[static_cast<size_t>(pixel)]);
        if (found[0] != level || found[1] != level || found[2] != level || found[3] != 255) ++differences;
      }
    }
    EXPECT_EQ(differences, 0u) << nameOf(instructions);
  }
}

TEST(TexturePalette, OfColourIsTheReferenceForEveryPairOfLevels) {
  // All pairs of 6 bits of green, with every pair of 5 bits of red and blue among them, in both orders.
  std::vector<uint8_t> blocks;
  for (int pair = 0; pair < 64 * 64; ++pair) {
    const int green[2] = {pair / 64, pair % 64};
    for (int colour = 0; colour < 2; ++colour) {
      const int red = green[colour] / 2;
      const int blue = 31 - (green[1 - colour] & 31);
      const int code = red << 11 | green[colour] << 5 | blue;
      blocks.push_back(static_cast<uint8_t>(code));
      blocks.push_back(static_cast<uint8_t>(code >> 8));
    }
    blocks.insert(blocks.end(), {0xE4, 0xE4, 0x1B, 0x1B});
  }
  const HapTexture texture{.format = TextureFormat::Bc1Rgb,
                           .blocks = blocks.data(),
                           .alphaBlocks = nullptr,
                           .width = 256,
                           .height = 256};
  const ReferencePicture reference(texture);
  for (const InstructionSet instructions : availableInstructionSets()) {
    const Decoded decoded(texture, PixelFormat::Bgra, false, instructions);
    EXPECT_EQ(mostSteps(decoded, reference, PixelFormat::Bgra, false), 0) << nameOf(instructions);
  }
}

TEST(TextureDecoder, ShowsTheFourthOfThreeColoursAsOpaqueBlack) {
  // The first colour is the smaller one: its three colours are those two, and their mean.
  const std::vector<uint8_t> bytes =
      decodedBlock(TextureFormat::Bc1Rgb, {0x00, 0x00, 0xFF, 0xFF, 0xE4, 0xFF, 0xFF, 0xFF});
  const std::vector<uint8_t> expected{0, 0, 0, 255, 255, 255, 255, 255, 128, 128, 128, 255, 0, 0, 0, 255};
  EXPECT_EQ(std::vector<uint8_t>(bytes.begin(), bytes.begin() + 16), expected);
}

TEST(TextureDecoder, HasFourColoursInBc3WhateverTheirOrder) {
  std::vector<uint8_t> block = alphaBlock(200, 100, {});
  block.insert(block.end(), {0x00, 0x00, 0xFF, 0xFF, 0xE4, 0xFF, 0xFF, 0xFF});
  const std::vector<uint8_t> bytes = decodedBlock(TextureFormat::Bc3Rgba, block);
  const std::vector<uint8_t> expected{0, 0, 0, 200, 255, 255, 255, 200, 85, 85, 85, 200, 170, 170, 170, 200};
  EXPECT_EQ(std::vector<uint8_t>(bytes.begin(), bytes.begin() + 16), expected);
}

TEST(TextureDecoder, TakesTheColourMatrixOfThePicturesHeight) {
  // Pure red.
  const std::vector<uint8_t> red{0x00, 0xF8, 0x00, 0xF8, 0, 0, 0, 0};
  const std::vector<uint8_t> low = decodedBlock(TextureFormat::Bc1Rgb, red, PixelFormat::Uyvy, 716);
  const std::vector<uint8_t> high = decodedBlock(TextureFormat::Bc1Rgb, red, PixelFormat::Uyvy, 720);
  constexpr int kBt601[] = {90, 81, 240};
  constexpr int kBt709[] = {102, 63, 240};
  for (size_t byte = 0; byte < 3; ++byte) {
    EXPECT_NEAR(low[byte], kBt601[byte], 1);
    EXPECT_NEAR(high[byte], kBt709[byte], 1);
  }
}

TEST(TextureDecoder, DecodesTheRowsAskedForAndNoOthers) {
  const TestTexture made(TextureFormat::Bc3ScaledYCoCg, 64, 30, 3);
  OwnedPicture whole(64, 30, PixelFormat::Uyvy);
  decodeTexture(made.texture(), whole.picture(), nullptr);
  OwnedPicture part(64, 30, PixelFormat::Uyvy);
  part.fillBytes(7);
  decodeTextureRows(made.texture(), {.first = 2, .end = 5}, part.picture(), nullptr);
  for (int y = 0; y < 30; ++y) {
    const std::vector<uint8_t> row(rowOf(part.view(), y), rowOf(part.view(), y) + 128);
    if (y < 8 || y >= 20) {
      EXPECT_EQ(row, std::vector<uint8_t>(128, 7)) << y;
    } else {
      EXPECT_EQ(row, std::vector<uint8_t>(rowOf(whole.view(), y), rowOf(whole.view(), y) + 128)) << y;
    }
  }
}

TEST(TextureDecoder, LeavesTheBackgroundWhereNothingCoversIt) {
  for (const PixelFormat format : {PixelFormat::Uyvy, PixelFormat::Bgra}) {
    TestTexture made(TextureFormat::Bc3ScaledYCoCg, 64, 32, 9, true);
    std::vector<uint8_t> clear(textureBytes(TextureFormat::Bc4Alpha, 64, 32), 0);
    HapTexture texture = made.texture();
    texture.alphaBlocks = clear.data();
    for (const InstructionSet instructions : availableInstructionSets()) {
      OwnedPicture background(64, 32, format);
      background.fillRandom(5);
      OwnedPicture picture(64, 32, format);
      const PictureView behind = background.view();
      decodeTexture(texture, picture.picture(), &behind, instructions);
      if (format == PixelFormat::Bgra) {
        for (size_t byte = 3; byte < background.bytes().size(); byte += 4) background.bytes()[byte] = 255;
      }
      EXPECT_EQ(picture.bytes(), background.bytes()) << nameOf(instructions);
    }
  }
}

TEST(TextureDecoder, IgnoresABackgroundWhereTheTextureHasNoAlpha) {
  for (const TextureFormat format :
       {TextureFormat::Bc1Rgb, TextureFormat::Bc3ScaledYCoCg, TextureFormat::Bc4Alpha}) {
    const TestTexture made(format, 64, 32, 9);
    const Decoded plain(made.texture(), PixelFormat::Uyvy, false, bestInstructionSet());
    const Decoded over(made.texture(), PixelFormat::Uyvy, true, bestInstructionSet());
    EXPECT_EQ(plain.bytes(), over.bytes());
  }
}

TEST(TextureDecoder, IgnoresAlphaInUyvyWithoutABackground) {
  const TestTexture made(TextureFormat::Bc3ScaledYCoCg, 64, 32, 9, true);
  HapTexture opaque = made.texture();
  opaque.alphaBlocks = nullptr;
  const Decoded with(made.texture(), PixelFormat::Uyvy, false, bestInstructionSet());
  const Decoded without(opaque, PixelFormat::Uyvy, false, bestInstructionSet());
  EXPECT_EQ(with.bytes(), without.bytes());
}

}  // namespace
}  // namespace whiteline
