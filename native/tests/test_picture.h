#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <random>
#include <vector>

#include "native/media/pattern/picture.h"

namespace whiteline::test {

/** A picture that owns its bytes, with `paddingBytes` of 0xEE behind each row to catch writes past its end.
 */
class OwnedPicture {
 public:
  static constexpr uint8_t kPaddingByte = 0xEE;

  OwnedPicture(int width, int height, PixelFormat format, int paddingBytes = 0)
      : width_(width),
        height_(height),
        format_(format),
        paddingBytes_(paddingBytes),
        bytes_(static_cast<size_t>(height) * static_cast<size_t>(strideBytes()), kPaddingByte) {}

  Picture picture() { return {bytes_.data(), strideBytes(), width_, height_, format_}; }
  PictureView view() const { return {bytes_.data(), strideBytes(), width_, height_, format_}; }
  std::vector<uint8_t>& bytes() { return bytes_; }
  const std::vector<uint8_t>& bytes() const { return bytes_; }

  /** Luma of a UYVY pixel; green of a BGRA one, which is its grey where the picture has no colour. */
  uint8_t luma(int x, int y) const { return bytes_[lumaIndex(x, y)]; }

  /** Sets a pixel's luma (UYVY), or makes it this grey (BGRA). */
  void setLuma(int x, int y, uint8_t value) {
    const size_t index = lumaIndex(x, y);
    bytes_[index] = value;
    if (format_ == PixelFormat::Bgra) bytes_[index - 1] = bytes_[index + 1] = value;
  }

  void fillLuma(int left, int top, int right, int bottom, uint8_t value) {
    for (int y = top; y < bottom; ++y) {
      for (int x = left; x < right; ++x) setLuma(x, y, value);
    }
  }

  void fillBytes(uint8_t value) {
    for (int y = 0; y < height_; ++y) {
      for (int index = 0; index < packedStride(width_, format_); ++index) rowOf(picture(), y)[index] = value;
    }
  }

  void fillRandom(uint32_t seed) {
    std::mt19937_64 random(seed);
    for (int y = 0; y < height_; ++y) {
      const int rowBytes = packedStride(width_, format_);
      for (int index = 0; index < rowBytes; index += 8) {
        const uint64_t eightBytes = random();
        std::memcpy(rowOf(picture(), y) + index, &eightBytes,
                    static_cast<size_t>(std::min(8, rowBytes - index)));
      }
    }
  }

  bool paddingIsUntouched() const {
    for (int y = 0; y < height_; ++y) {
      for (int index = packedStride(width_, format_); index < strideBytes(); ++index) {
        if (rowOf(view(), y)[index] != kPaddingByte) return false;
      }
    }
    return true;
  }

 private:
  int strideBytes() const { return packedStride(width_, format_) + paddingBytes_; }

  size_t lumaIndex(int x, int y) const {
    return static_cast<size_t>(y * strideBytes() + packedStride(x, format_) + 1);
  }

  int width_;
  int height_;
  PixelFormat format_;
  int paddingBytes_;
  std::vector<uint8_t> bytes_;
};

}  // namespace whiteline::test
