#pragma once

#include <cstdint>
#include <cstring>
#include <random>
#include <vector>

#include "native/media/hap/texture_decoder.h"

namespace whiteline::test {

/** Blocks of every kind that decoders distinguish: plain random ones, and those that a plain random generator
 * hardly ever makes. */
class TestBlocks {
 public:
  explicit TestBlocks(uint64_t seed) : random_(seed) {}

  std::vector<uint8_t> make(TextureFormat format, size_t count) {
    std::vector<uint8_t> blocks;
    blocks.reserve(count * bytesPerBlock(format));
    for (size_t block = 0; block < count; ++block) {
      switch (format) {
        case TextureFormat::Bc1Rgb:
          addColour(blocks, false);
          break;
        case TextureFormat::Bc4Alpha:
          addAlpha(blocks);
          break;
        case TextureFormat::Bc3Rgba:
        case TextureFormat::Bc3ScaledYCoCg:
          addAlpha(blocks);
          addColour(blocks, format == TextureFormat::Bc3ScaledYCoCg);
          break;
        default:
          addBytes(blocks, 16);
          break;
      }
    }
    return blocks;
  }

 private:
  uint32_t below(uint32_t limit) { return static_cast<uint32_t>(random_() % limit); }

  void addBytes(std::vector<uint8_t>& blocks, int count) {
    for (int byte = 0; byte < count; ++byte) blocks.push_back(static_cast<uint8_t>(random_()));
  }

  /** Both orders, equal ones, black and white, neighbours. */
  void addAlpha(std::vector<uint8_t>& blocks) {
    auto first = static_cast<uint8_t>(random_());
    auto second = static_cast<uint8_t>(random_());
    switch (below(6)) {
      case 0:
        second = first;
        break;
      case 1:
        first = 255;
        second = 0;
        break;
      case 2:
        first = 0;
        second = 255;
        break;
      case 3:
        second = static_cast<uint8_t>(first + 1);
        break;
      default:
        break;
    }
    blocks.push_back(first);
    blocks.push_back(second);
    addBytes(blocks, 6);
  }

  void addColour(std::vector<uint8_t>& blocks, bool scaled) {
    auto first = static_cast<uint16_t>(random_());
    auto second = static_cast<uint16_t>(random_());
    switch (below(5)) {
      case 0:
        second = first;
        break;
      case 1:
        first = extreme();
        second = extreme();
        break;
      case 2:
        // All but grey, where scaled YCoCg is centred.
        first = static_cast<uint16_t>((14 + below(4)) << 11 | (30 + below(4)) << 5 | below(32));
        second = static_cast<uint16_t>((14 + below(4)) << 11 | (30 + below(4)) << 5 | below(32));
        break;
      default:
        break;
    }
    if (scaled && below(4) != 0) {
      // Encoders write a scale of 1, 2 or 4, the same in both colours; the kernels have a way of their own
      // for it.
      constexpr uint16_t kScales[] = {0, 1, 3};
      const uint16_t scale = kScales[below(3)];
      first = static_cast<uint16_t>((first & ~31) | scale);
      second = static_cast<uint16_t>((second & ~31) | scale);
    }
    for (const uint16_t colour : {first, second}) {
      blocks.push_back(static_cast<uint8_t>(colour));
      blocks.push_back(static_cast<uint8_t>(colour >> 8));
    }
    addBytes(blocks, 4);
  }

  /** Each channel at one of its ends. */
  uint16_t extreme() {
    return static_cast<uint16_t>((below(2) ? 31 << 11 : 0) | (below(2) ? 63 << 5 : 0) | (below(2) ? 31 : 0));
  }

  std::mt19937_64 random_;
};

/** A texture of such blocks that owns them; `alphaBlocks`: with those of Hap Q Alpha. */
class TestTexture {
 public:
  TestTexture(TextureFormat format, int width, int height, uint64_t seed, bool alphaBlocks = false) {
    const auto count = static_cast<size_t>(blocksAcross(width) * blocksAcross(height));
    TestBlocks blocks(seed);
    blocks_ = blocks.make(format, count);
    if (alphaBlocks) alphaBlocks_ = blocks.make(TextureFormat::Bc4Alpha, count);
    texture_ = {.format = format,
                .blocks = blocks_.data(),
                .alphaBlocks = alphaBlocks ? alphaBlocks_.data() : nullptr,
                .width = width,
                .height = height};
  }
  TestTexture(const TestTexture&) = delete;
  TestTexture& operator=(const TestTexture&) = delete;

  const HapTexture& texture() const { return texture_; }

 private:
  std::vector<uint8_t> blocks_;
  std::vector<uint8_t> alphaBlocks_;
  HapTexture texture_;
};

}  // namespace whiteline::test
