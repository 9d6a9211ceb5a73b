#pragma once

// The reference of docs/hap.md, in double precision and nothing but: it shares no code with the kernels.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <vector>

#include "native/media/hap/texture_decoder.h"

namespace whiteline::test {

/** Red, green, blue and alpha, 0 to 255, not rounded. */
struct RealPixel {
  double red = 0;
  double green = 0;
  double blue = 0;
  double alpha = 255;
};

using RealBlock = std::array<RealPixel, 16>;

inline double nearestLevel(double value) {
  return std::floor(value + 0.5);
}

/** Bits of a little-endian block, the lowest first. */
inline int bitsAt(const uint8_t* block, int firstBit, int count) {
  int value = 0;
  for (int bit = 0; bit < count; ++bit) {
    const int at = firstBit + bit;
    value |= (block[at / 8] >> at % 8 & 1) << bit;
  }
  return value;
}

/** The eight levels of a block of alpha; palettes are rounded to whole levels. */
inline std::array<double, 16> referenceAlpha(const uint8_t* block) {
  const double first = block[0];
  const double second = block[1];
  std::array<double, 8> palette{first, second};
  const int steps = first > second ? 7 : 5;
  for (int entry = 2; entry <= steps; ++entry) {
    const double share = static_cast<double>(entry - 1) / steps;
    palette[static_cast<size_t>(entry)] = nearestLevel((1 - share) * first + share * second);
  }
  if (steps == 5) {
    palette[6] = 0;
    palette[7] = 255;
  }
  std::array<double, 16> levels{};
  for (int pixel = 0; pixel < 16; ++pixel) {
    levels[static_cast<size_t>(pixel)] = palette[static_cast<size_t>(bitsAt(block, 16 + 3 * pixel, 3))];
  }
  return levels;
}

/** One channel of the four colours, as a share of the channel's greatest code. */
struct ReferenceColours {
  std::array<double, 4> red;
  std::array<double, 4> green;
  std::array<double, 4> blue;
  std::array<size_t, 16> index;
};

inline ReferenceColours referenceColours(const uint8_t* block, bool mayBeThree) {
  ReferenceColours colours{};
  const bool three = mayBeThree && bitsAt(block, 0, 16) <= bitsAt(block, 16, 16);
  const auto palette = [&](int shift, int bits) {
    const double greatest = (1 << bits) - 1;
    const double first = bitsAt(block, shift, bits) / greatest;
    const double second = bitsAt(block, 16 + shift, bits) / greatest;
    if (three) return std::array<double, 4>{first, second, (first + second) / 2, 0};
    return std::array<double, 4>{first, second, (2 * first + second) / 3, (first + 2 * second) / 3};
  };
  colours.red = palette(11, 5);
  colours.green = palette(5, 6);
  colours.blue = palette(0, 5);
  for (int pixel = 0; pixel < 16; ++pixel) {
    colours.index[static_cast<size_t>(pixel)] = static_cast<size_t>(bitsAt(block, 32 + 2 * pixel, 2));
  }
  return colours;
}

/** A tie may come out just below the middle in binary fractions: 255 · (a + b) / 62 has exact ones. */
inline double paletteLevel(double share) {
  return nearestLevel(255 * share + 1e-9);
}

inline RealBlock referenceRgb(const uint8_t* block, bool mayBeThree) {
  const ReferenceColours colours = referenceColours(block, mayBeThree);
  RealBlock pixels;
  for (size_t pixel = 0; pixel < 16; ++pixel) {
    const size_t index = colours.index[pixel];
    pixels[pixel] = {paletteLevel(colours.red[index]), paletteLevel(colours.green[index]),
                     paletteLevel(colours.blue[index]), 255};
  }
  return pixels;
}

inline RealBlock referenceYCoCg(const uint8_t* block) {
  const std::array<double, 16> luma = referenceAlpha(block);
  const ReferenceColours colours = referenceColours(block + 8, false);
  RealBlock pixels;
  for (size_t pixel = 0; pixel < 16; ++pixel) {
    const size_t index = colours.index[pixel];
    const double scale = 1 + 31 * colours.blue[index];
    const double orange = (paletteLevel(colours.red[index]) - 128) / scale;
    const double green = (paletteLevel(colours.green[index]) - 128) / scale;
    pixels[pixel] = {std::clamp(luma[pixel] + orange - green, 0.0, 255.0),
                     std::clamp(luma[pixel] + green, 0.0, 255.0),
                     std::clamp(luma[pixel] - orange - green, 0.0, 255.0), 255};
  }
  return pixels;
}

/** Of the formats that are defined by their palettes; BC7 and BC6H are exact integers of their own. */
inline RealBlock referenceBlock(TextureFormat format, const uint8_t* block, const uint8_t* alphaBlock) {
  RealBlock pixels;
  switch (format) {
    case TextureFormat::Bc1Rgb:
      return referenceRgb(block, true);
    case TextureFormat::Bc4Alpha: {
      const std::array<double, 16> grey = referenceAlpha(block);
      for (size_t pixel = 0; pixel < 16; ++pixel)
        pixels[pixel] = {grey[pixel], grey[pixel], grey[pixel], 255};
      return pixels;
    }
    case TextureFormat::Bc3Rgba:
      pixels = referenceRgb(block + 8, false);
      alphaBlock = block;
      break;
    default:
      pixels = referenceYCoCg(block);
      break;
  }
  if (alphaBlock) {
    const std::array<double, 16> alpha = referenceAlpha(alphaBlock);
    for (size_t pixel = 0; pixel < 16; ++pixel) pixels[pixel].alpha = alpha[pixel];
  }
  return pixels;
}

/** Luma, U and V at video levels. */
struct RealVideo {
  double luma;
  double u;
  double v;
};

inline RealVideo referenceVideo(const RealPixel& pixel, int height) {
  const double weightOfRed = height >= 720 ? 0.2126 : 0.299;
  const double weightOfBlue = height >= 720 ? 0.0722 : 0.114;
  const double red = pixel.red / 255;
  const double green = pixel.green / 255;
  const double blue = pixel.blue / 255;
  const double luma = weightOfRed * red + (1 - weightOfRed - weightOfBlue) * green + weightOfBlue * blue;
  return {16 + 219 * luma, 128 + 112 * (blue - luma) / (1 - weightOfBlue),
          128 + 112 * (red - luma) / (1 - weightOfRed)};
}

/** A whole picture of RealPixel, and what it has to look like in each format. */
class ReferencePicture {
 public:
  ReferencePicture(const HapTexture& texture)  // NOLINT(google-explicit-constructor)
      : ReferencePicture(texture, [&](size_t block) {
          const size_t bytes = bytesPerBlock(texture.format);
          return referenceBlock(texture.format, texture.blocks + block * bytes,
                                texture.alphaBlocks ? texture.alphaBlocks + block * 8 : nullptr);
        }) {}

  /** With the blocks' pixels from elsewhere. */
  template <class BlockOf>
  ReferencePicture(const HapTexture& texture, BlockOf blockOf)
      : width_((texture.width + 1) / 2 * 2),
        height_(texture.height),
        pixels_(static_cast<size_t>(width_ * height_)) {
    const int across = blocksAcross(texture.width);
    for (int row = 0; row < blocksAcross(texture.height); ++row) {
      for (int column = 0; column < across; ++column) {
        const RealBlock block = blockOf(static_cast<size_t>(row * across + column));
        for (int pixel = 0; pixel < 16; ++pixel) {
          const int x = 4 * column + pixel % 4;
          const int y = 4 * row + pixel / 4;
          if (x < texture.width && y < height_) at(x, y) = block[static_cast<size_t>(pixel)];
        }
      }
    }
    if (width_ > texture.width) {
      for (int y = 0; y < height_; ++y) at(texture.width, y) = at(texture.width - 1, y);
    }
  }

  int width() const { return width_; }
  int height() const { return height_; }

  /** All bytes of the packed picture, not rounded. */
  std::vector<double> bytes(PixelFormat format, const PictureView* background) const {
    return format == PixelFormat::Uyvy ? uyvy(background) : bgra(background);
  }

 private:
  RealPixel& at(int x, int y) { return pixels_[static_cast<size_t>(y * width_ + x)]; }
  const RealPixel& at(int x, int y) const { return pixels_[static_cast<size_t>(y * width_ + x)]; }

  static double over(double value, double alpha, double background) {
    return alpha / 255 * value + (1 - alpha / 255) * background;
  }

  std::vector<double> uyvy(const PictureView* background) const {
    std::vector<double> bytes;
    for (int y = 0; y < height_; ++y) {
      for (int x = 0; x < width_; x += 2) {
        RealPixel pixels[2] = {at(x, y), at(x + 1, y)};
        RealVideo video[2] = {referenceVideo(pixels[0], height_), referenceVideo(pixels[1], height_)};
        for (int side = 0; side < 2 && background; ++side) {
          const uint8_t* behind = rowOf(*background, y) + 2 * x;
          RealVideo& shown = video[side];
          shown.u = over(shown.u, pixels[side].alpha, behind[0]);
          shown.v = over(shown.v, pixels[side].alpha, behind[2]);
          shown.luma = over(shown.luma, pixels[side].alpha, behind[1 + 2 * side]);
        }
        bytes.push_back((video[0].u + video[1].u) / 2);
        bytes.push_back(video[0].luma);
        bytes.push_back((video[0].v + video[1].v) / 2);
        bytes.push_back(video[1].luma);
      }
    }
    return bytes;
  }

  std::vector<double> bgra(const PictureView* background) const {
    std::vector<double> bytes;
    for (int y = 0; y < height_; ++y) {
      for (int x = 0; x < width_; ++x) {
        const RealPixel& pixel = at(x, y);
        const double channels[3] = {pixel.blue, pixel.green, pixel.red};
        for (int channel = 0; channel < 3; ++channel) {
          bytes.push_back(background
                              ? over(channels[channel], pixel.alpha, rowOf(*background, y)[4 * x + channel])
                              : channels[channel]);
        }
        bytes.push_back(background ? 255 : pixel.alpha);
      }
    }
    return bytes;
  }

  int width_;
  int height_;
  std::vector<RealPixel> pixels_;
};

}  // namespace whiteline::test
