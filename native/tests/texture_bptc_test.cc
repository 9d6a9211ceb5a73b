// BC7 and BC6H: what the library makes of single blocks that are written here by hand, and what becomes of
// it. All of their modes are compared with other decoders in hap_conformance_test.cc.

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstdint>
#include <random>
#include <vector>

#include "native/media/hap/texture_block.h"
#include "native/media/hap/texture_half.h"
#include "native/tests/test_picture.h"
#include "native/tests/texture_reference.h"

namespace whiteline {
namespace {

using test::OwnedPicture;
using test::RealBlock;
using test::ReferencePicture;

constexpr int kBlockBytes = 16;
constexpr std::array<int, 16> kWeights{0, 4, 9, 13, 17, 21, 26, 30, 34, 38, 43, 47, 51, 55, 60, 64};

class BitWriter {
 public:
  void put(int value, int count) {
    for (int bit = 0; bit < count; ++bit, ++position_) {
      bytes_[static_cast<size_t>(position_ / 8)] |= static_cast<uint8_t>((value >> bit & 1) << position_ % 8);
    }
  }
  int position() const { return position_; }
  const std::array<uint8_t, kBlockBytes>& bytes() const { return bytes_; }

 private:
  std::array<uint8_t, kBlockBytes> bytes_{};
  int position_ = 0;
};

struct MadeBlock {
  std::array<uint8_t, kBlockBytes> bytes;
  RealBlock pixels;
};

/** The four bits of each pixel, three of the first, which are the block's last. */
std::array<int, 16> putIndices(BitWriter& bits, std::mt19937& random) {
  std::array<int, 16> indices{};
  for (size_t pixel = 0; pixel < 16; ++pixel) {
    const int count = pixel == 0 ? 3 : 4;
    indices[pixel] = static_cast<int>(random() % (1U << count));
    bits.put(indices[pixel], count);
  }
  return indices;
}

/** Mode 6: one pair of colours of 7 bits and one that they share. */
MadeBlock bc7Block(std::mt19937& random) {
  BitWriter bits;
  bits.put(1 << 6, 7);
  int codes[4][2];
  for (auto& channel : codes) {
    for (int& code : channel) {
      code = static_cast<int>(random() % 128);
      bits.put(code, 7);
    }
  }
  int shared[2];
  for (int& bit : shared) {
    bit = static_cast<int>(random() % 2);
    bits.put(bit, 1);
  }
  const std::array<int, 16> indices = putIndices(bits, random);
  EXPECT_EQ(bits.position(), 128);
  MadeBlock block{bits.bytes(), {}};
  for (size_t pixel = 0; pixel < 16; ++pixel) {
    const double share = kWeights[static_cast<size_t>(indices[pixel])] / 64.0;
    const auto level = [&](int channel) {
      const double first = 2 * codes[channel][0] + shared[0];
      const double second = 2 * codes[channel][1] + shared[1];
      return std::floor((1 - share) * first + share * second + 0.5);
    };
    block.pixels[pixel] = {level(0), level(1), level(2), level(3)};
  }
  return block;
}

double valueOfHalf(int half) {
  const int exponent = half >> 10 & 31;
  const double mantissa = (half & 1023) / 1024.0;
  const double value = exponent == 0 ? std::ldexp(mantissa, -14) : std::ldexp(1 + mantissa, exponent - 15);
  return (half & 0x8000) != 0 ? -value : value;
}

double levelOf(int half) {
  return std::clamp(valueOfHalf(half), 0.0, 1.0) * 255;
}

/** Mode 11: one pair of colours of 10 bits, as they are; `least` and `most` bound the codes. */
MadeBlock bc6hBlock(std::mt19937& random, bool isSigned, int least, int most) {
  BitWriter bits;
  bits.put(3, 5);
  int codes[2][3];
  for (auto& colour : codes) {
    for (int& code : colour) {
      code = least + static_cast<int>(random() % static_cast<unsigned>(most - least + 1));
      bits.put(code & 1023, 10);
    }
  }
  const std::array<int, 16> indices = putIndices(bits, random);
  EXPECT_EQ(bits.position(), 128);
  const auto spread = [isSigned](int code) {
    if (code == 0) return 0;
    if (!isSigned) return code == 1023 ? 0xFFFF : ((code << 16) + 0x8000) >> 10;
    const int size = std::abs(code);
    const int wide = size >= 511 ? 0x7FFF : ((size << 15) + 0x4000) >> 9;
    return code < 0 ? -wide : wide;
  };
  MadeBlock block{bits.bytes(), {}};
  for (size_t pixel = 0; pixel < 16; ++pixel) {
    const int weight = kWeights[static_cast<size_t>(indices[pixel])];
    const auto level = [&](int channel) {
      const int mixed =
          (spread(codes[0][channel]) * (64 - weight) + spread(codes[1][channel]) * weight + 32) >> 6;
      if (!isSigned) return levelOf(mixed * 31 / 64);
      return mixed < 0 ? 0.0 : levelOf(mixed * 31 / 32);
    };
    block.pixels[pixel] = {level(0), level(1), level(2), 255};
  }
  return block;
}

/** Textures of such blocks are within one step of the reference in both targets, with either decoder. */
template <class MakeBlock>
void expectWithinOneStep(TextureFormat format, MakeBlock makeBlock) {
  constexpr int kWidth = 131;
  constexpr int kHeight = 722;
  std::mt19937 random(7);
  std::vector<uint8_t> bytes;
  std::vector<RealBlock> pixels;
  for (int block = 0; block < blocksAcross(kWidth) * blocksAcross(kHeight); ++block) {
    const MadeBlock made = makeBlock(random);
    bytes.insert(bytes.end(), made.bytes.begin(), made.bytes.end());
    pixels.push_back(made.pixels);
  }
  const HapTexture texture{
      .format = format, .blocks = bytes.data(), .alphaBlocks = nullptr, .width = kWidth, .height = kHeight};
  const ReferencePicture reference(texture, [&](size_t block) { return pixels[block]; });
  for (const PixelFormat target : {PixelFormat::Uyvy, PixelFormat::Bgra}) {
    OwnedPicture background(kWidth + 1, kHeight, target);
    background.fillRandom(3);
    const PictureView behind = background.view();
    for (const PictureView* over : {static_cast<const PictureView*>(nullptr), &behind}) {
      if (over && format != TextureFormat::Bc7Rgba) continue;
      const std::vector<double> expected = reference.bytes(target, over);
      for (const InstructionSet instructions : availableInstructionSets()) {
        OwnedPicture picture(kWidth + 1, kHeight, target);
        decodeTexture(texture, picture.picture(), over, instructions);
        int most = 0;
        for (size_t byte = 0; byte < expected.size(); ++byte) {
          const int nearest = static_cast<int>(std::floor(expected[byte] + 0.5));
          most = std::max(most, std::abs(picture.bytes()[byte] - nearest));
        }
        EXPECT_LE(most, 1) << nameOf(instructions);
      }
    }
  }
}

TEST(TextureHalf, GivesTheNearestLevelOfEveryNumber) {
  for (int half = 0; half <= 0xFFFF; ++half) {
    if ((half & 0x7C00) == 0x7C00) continue;
    ASSERT_EQ(levelOfHalf(static_cast<uint16_t>(half)), std::floor(levelOf(half) + 0.5)) << half;
  }
}

TEST(TextureBptc, DecodesBc7) {
  expectWithinOneStep(TextureFormat::Bc7Rgba, bc7Block);
}

TEST(TextureBptc, DecodesUnsignedBc6h) {
  // From 0 to twice white, and the whole range.
  expectWithinOneStep(TextureFormat::Bc6hUnsigned,
                      [](std::mt19937& random) { return bc6hBlock(random, false, 0, 528); });
  expectWithinOneStep(TextureFormat::Bc6hUnsigned,
                      [](std::mt19937& random) { return bc6hBlock(random, false, 0, 1023); });
}

TEST(TextureBptc, DecodesSignedBc6h) {
  expectWithinOneStep(TextureFormat::Bc6hSigned,
                      [](std::mt19937& random) { return bc6hBlock(random, true, -100, 264); });
  expectWithinOneStep(TextureFormat::Bc6hSigned,
                      [](std::mt19937& random) { return bc6hBlock(random, true, -511, 511); });
}

TEST(TextureBptc, ShowsBlocksOfModesThatDoNotExistAsBlack) {
  PlanarBlock pixels;
  const std::array<uint8_t, kBlockBytes> zero{};
  decodeBlock(TextureFormat::Bc7Rgba, zero.data(), nullptr, pixels);
  EXPECT_EQ(std::vector<uint8_t>(pixels.red, pixels.red + 16), std::vector<uint8_t>(16, 0));
  EXPECT_EQ(std::vector<uint8_t>(pixels.alpha, pixels.alpha + 16), std::vector<uint8_t>(16, 0));
  std::array<uint8_t, kBlockBytes> reserved{};
  reserved.fill(0xFF);
  reserved[0] = 0x13;
  decodeBlock(TextureFormat::Bc6hUnsigned, reserved.data(), nullptr, pixels);
  EXPECT_EQ(std::vector<uint8_t>(pixels.green, pixels.green + 16), std::vector<uint8_t>(16, 0));
  EXPECT_EQ(std::vector<uint8_t>(pixels.alpha, pixels.alpha + 16), std::vector<uint8_t>(16, 255));
}

}  // namespace
}  // namespace whiteline
