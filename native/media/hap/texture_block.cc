#include "native/media/hap/texture_block.h"

#include <bcdec.h>

#include <algorithm>
#include <cstring>

#include "native/media/hap/texture_half.h"

namespace whiteline {
namespace {

constexpr int kPixels = 16;
constexpr int kColours = 4;
constexpr int kAlphas = 8;

uint16_t read16(const uint8_t* bytes) {
  return static_cast<uint16_t>(bytes[0] | bytes[1] << 8);
}

/** (a · b) / 2¹⁵, rounded: what vector instructions do in one step. */
constexpr int scaled(int a, int b) {
  return (a * b + 0x4000) >> 15;
}

uint8_t clampedLevel(int level) {
  return static_cast<uint8_t>(std::clamp(level, 0, 255));
}

/** Nearest to `numerator` / `denominator` · 255, upwards from the middle. */
constexpr uint8_t levelOf(int numerator, int denominator) {
  return static_cast<uint8_t>((numerator * 510 + denominator) / (2 * denominator));
}

/** The two bits of each pixel choose one of four colours. */
int colourIndex(const uint8_t* block, int pixel) {
  return block[4 + pixel / 4] >> pixel % 4 * 2 & 3;
}

void alphaLevels(const uint8_t* block, uint8_t (&levels)[kPixels]) {
  const int first = block[0];
  const int second = block[1];
  uint8_t palette[kAlphas] = {block[0], block[1]};
  if (first > second) {
    for (int index = 2; index < kAlphas; ++index) {
      palette[index] = static_cast<uint8_t>(((8 - index) * first + (index - 1) * second + 3) / 7);
    }
  } else {
    for (int index = 2; index < 6; ++index) {
      palette[index] = static_cast<uint8_t>(((6 - index) * first + (index - 1) * second + 2) / 5);
    }
    palette[6] = 0;
    palette[7] = 255;
  }
  uint64_t bits = 0;
  for (int byte = 7; byte >= 2; --byte) bits = bits << 8 | block[byte];
  for (uint8_t& level : levels) {
    level = palette[bits & 7];
    bits >>= 3;
  }
}

/** The two colours that a block stores, in 5, 6 and 5 bits. */
struct Endpoints {
  uint16_t first;
  uint16_t second;

  explicit Endpoints(const uint8_t* block) : first(read16(block)), second(read16(block + 2)) {}

  int weighted(int shift, int mask, int firstWeight, int secondWeight) const {
    return firstWeight * (first >> shift & mask) + secondWeight * (second >> shift & mask);
  }
  int red(int firstWeight, int secondWeight) const { return weighted(11, 31, firstWeight, secondWeight); }
  int green(int firstWeight, int secondWeight) const { return weighted(5, 63, firstWeight, secondWeight); }
  int blue(int firstWeight, int secondWeight) const { return weighted(0, 31, firstWeight, secondWeight); }
};

struct Weights {
  int first;
  int second;
};

/** In thirds. */
constexpr Weights kThirdsOf[kColours] = {{3, 0}, {0, 3}, {2, 1}, {1, 2}};

void decodeRgb(const uint8_t* block, bool threeColours, PlanarBlock& pixels) {
  const Endpoints endpoints(block);
  uint8_t red[kColours] = {};
  uint8_t green[kColours] = {};
  uint8_t blue[kColours] = {};
  const auto set = [&](int index, Weights weights) {
    const int sum = weights.first + weights.second;
    red[index] = levelOf(endpoints.red(weights.first, weights.second), 31 * sum);
    green[index] = levelOf(endpoints.green(weights.first, weights.second), 63 * sum);
    blue[index] = levelOf(endpoints.blue(weights.first, weights.second), 31 * sum);
  };
  set(0, {1, 0});
  set(1, {0, 1});
  if (threeColours && endpoints.first <= endpoints.second) {
    set(2, {1, 1});
  } else {
    set(2, {2, 1});
    set(3, {1, 2});
  }
  for (int pixel = 0; pixel < kPixels; ++pixel) {
    const int index = colourIndex(block, pixel);
    pixels.red[pixel] = red[index];
    pixels.green[pixel] = green[index];
    pixels.blue[pixel] = blue[index];
  }
}

void decodeYCoCg(const uint8_t* block, PlanarBlock& pixels) {
  uint8_t luma[kPixels];
  alphaLevels(block, luma);
  const uint8_t* colourBlock = block + 8;
  const Endpoints endpoints(colourBlock);
  int red[kColours];
  int green[kColours];
  int blue[kColours];
  for (int index = 0; index < kColours; ++index) {
    const auto [first, second] = kThirdsOf[index];
    const int factor = kScaleFactors.of[kThirds + endpoints.blue(first, second)];
    const int orange = levelOf(endpoints.red(first, second), 31 * kThirds);
    const int greenness = levelOf(endpoints.green(first, second), 63 * kThirds);
    red[index] = scaled(greenness - orange, factor);
    green[index] = scaled(128 - greenness, factor);
    blue[index] = scaled(orange + greenness - 256, factor);
  }
  for (int pixel = 0; pixel < kPixels; ++pixel) {
    const int index = colourIndex(colourBlock, pixel);
    pixels.red[pixel] = clampedLevel(luma[pixel] + red[index]);
    pixels.green[pixel] = clampedLevel(luma[pixel] + green[index]);
    pixels.blue[pixel] = clampedLevel(luma[pixel] + blue[index]);
  }
}

/** The library reads whole words, and a texture may lie in its frame at any byte. */
struct AlignedBlock {
  alignas(uint64_t) uint8_t bytes[16];

  explicit AlignedBlock(const uint8_t* block) { std::memcpy(bytes, block, sizeof bytes); }
};

void decodeBc7(const uint8_t* block, PlanarBlock& pixels) {
  alignas(uint64_t) uint8_t rgba[kPixels][4];
  bcdec_bc7(AlignedBlock(block).bytes, rgba, sizeof(rgba[0]) * 4);
  for (int pixel = 0; pixel < kPixels; ++pixel) {
    pixels.red[pixel] = rgba[pixel][0];
    pixels.green[pixel] = rgba[pixel][1];
    pixels.blue[pixel] = rgba[pixel][2];
    pixels.alpha[pixel] = rgba[pixel][3];
  }
}

/** What a half is as a level; negative ones are those from 0x8000 on. */
uint8_t lookedUp(uint16_t half) {
  static constexpr HalfLevels kLevels = halfLevels();
  return half >= 0x8000 ? 0 : kLevels[std::min(half, kHalfOfOne)];
}

void decodeBc6h(const uint8_t* block, bool isSigned, PlanarBlock& pixels) {
  uint16_t halves[kPixels][3];
  bcdec_bc6h_half(AlignedBlock(block).bytes, halves, 3 * 4, isSigned ? 1 : 0);
  for (int pixel = 0; pixel < kPixels; ++pixel) {
    pixels.red[pixel] = lookedUp(halves[pixel][0]);
    pixels.green[pixel] = lookedUp(halves[pixel][1]);
    pixels.blue[pixel] = lookedUp(halves[pixel][2]);
  }
}

/** Alpha as a fraction of 2¹⁵, but for 255, which is one step short of 1. */
constexpr int fractionOf(uint8_t alpha) {
  return alpha * 128 + alpha / 2;
}

struct Rgb {
  int red;
  int green;
  int blue;

  Rgb(const PlanarBlock& pixels, int pixel)
      : red(pixels.red[pixel]), green(pixels.green[pixel]), blue(pixels.blue[pixel]) {}
};

/** In 1/256. */
int lumaOf(const Rgb& pixel, const VideoMatrix& matrix) {
  return matrix.lumaRed * pixel.red + (matrix.lumaGreenBesideRed + matrix.lumaGreenBesideBlue) * pixel.green +
         matrix.lumaBlue * pixel.blue + kLumaOffset;
}

/** In 1/256, out of channels times 128: of one pixel, or of two in a row times 64 each. */
struct Chroma {
  int u;
  int v;

  Chroma(int red, int green, int blue, const VideoMatrix& matrix)
      : u(scaled(red - green, matrix.uRed) + scaled(blue - green, matrix.uBlue) + kChromaOffset),
        v(scaled(red - green, matrix.vRed) + scaled(blue - green, matrix.vBlue) + kChromaOffset) {}
};

Chroma chromaOf(const Rgb& pixel, const VideoMatrix& matrix) {
  return {128 * pixel.red, 128 * pixel.green, 128 * pixel.blue, matrix};
}

Chroma chromaOf(const Rgb& left, const Rgb& right, const VideoMatrix& matrix) {
  return {64 * (left.red + right.red), 64 * (left.green + right.green), 64 * (left.blue + right.blue),
          matrix};
}

uint8_t rounded256(int value) {
  return static_cast<uint8_t>((value + 128) >> 8);
}

/** A level in 1/64 over a background. */
uint8_t over(int level64, uint8_t alpha, uint8_t background) {
  const int behind = background * 64;
  return static_cast<uint8_t>((behind + scaled(level64 - behind, fractionOf(alpha)) + 32) >> 6);
}

/** Chroma of two pixels, in 1/256, over the one that they share behind. */
uint8_t chromaOver(int left, int right, const uint8_t* alpha, uint8_t background) {
  const int behind = background * 32;
  const int sum = scaled((left >> 3) - behind, fractionOf(alpha[0])) +
                  scaled((right >> 3) - behind, fractionOf(alpha[1]));
  return static_cast<uint8_t>((2 * behind + sum + 32) >> 6);
}

}  // namespace

void decodeBlock(TextureFormat format, const uint8_t* block, const uint8_t* alphaBlock, PlanarBlock& pixels) {
  std::memset(pixels.alpha, 255, sizeof(pixels.alpha));
  switch (format) {
    case TextureFormat::Bc1Rgb:
      return decodeRgb(block, true, pixels);
    case TextureFormat::Bc3Rgba:
      alphaLevels(block, pixels.alpha);
      return decodeRgb(block + 8, false, pixels);
    case TextureFormat::Bc3ScaledYCoCg:
      if (alphaBlock) alphaLevels(alphaBlock, pixels.alpha);
      return decodeYCoCg(block, pixels);
    case TextureFormat::Bc4Alpha:
      alphaLevels(block, pixels.red);
      std::memcpy(pixels.green, pixels.red, sizeof(pixels.red));
      std::memcpy(pixels.blue, pixels.red, sizeof(pixels.red));
      return;
    case TextureFormat::Bc7Rgba:
      return decodeBc7(block, pixels);
    case TextureFormat::Bc6hUnsigned:
      return decodeBc6h(block, false, pixels);
    case TextureFormat::Bc6hSigned:
      return decodeBc6h(block, true, pixels);
  }
}

void writeUyvy(const PlanarBlock& pixels, const VideoMatrix& matrix, const BlockTarget& target) {
  for (int row = 0; row < target.rows; ++row) {
    for (int column = 0; column < target.columns; column += 2) {
      const int pixel = 4 * row + column;
      uint8_t* out = target.pixels + row * target.stride + 2 * column;
      const Rgb left(pixels, pixel);
      const Rgb right(pixels, pixel + 1);
      const int leftLuma = lumaOf(left, matrix);
      const int rightLuma = lumaOf(right, matrix);
      if (!target.background) {
        const Chroma chroma = chromaOf(left, right, matrix);
        out[0] = rounded256(chroma.u);
        out[1] = rounded256(leftLuma);
        out[2] = rounded256(chroma.v);
        out[3] = rounded256(rightLuma);
        continue;
      }
      const uint8_t* behind = target.background + row * target.backgroundStride + 2 * column;
      const uint8_t* alpha = pixels.alpha + pixel;
      const Chroma leftChroma = chromaOf(left, matrix);
      const Chroma rightChroma = chromaOf(right, matrix);
      out[0] = chromaOver(leftChroma.u, rightChroma.u, alpha, behind[0]);
      out[1] = over(leftLuma >> 2, alpha[0], behind[1]);
      out[2] = chromaOver(leftChroma.v, rightChroma.v, alpha, behind[2]);
      out[3] = over(rightLuma >> 2, alpha[1], behind[3]);
    }
  }
}

void writeBgra(const PlanarBlock& pixels, const BlockTarget& target) {
  for (int row = 0; row < target.rows; ++row) {
    for (int column = 0; column < target.columns; ++column) {
      const int pixel = 4 * row + column;
      uint8_t* out = target.pixels + row * target.stride + 4 * column;
      const uint8_t channels[] = {pixels.blue[pixel], pixels.green[pixel], pixels.red[pixel]};
      const uint8_t* behind =
          target.background ? target.background + row * target.backgroundStride + 4 * column : nullptr;
      for (int channel = 0; channel < 3; ++channel) {
        out[channel] =
            behind ? over(channels[channel] * 64, pixels.alpha[pixel], behind[channel]) : channels[channel];
      }
      out[3] = behind ? 255 : pixels.alpha[pixel];
    }
  }
}

}  // namespace whiteline
