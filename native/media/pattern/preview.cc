#include "native/media/pattern/preview.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>
#include <vector>

#include "native/media/pattern/colour.h"

namespace whiteline {

namespace {

/**
 * Each pixel of the preview is the mean of 4 × 2 samples, evenly spread over its part of the picture: so
 * close that a white line (1/160 of the width) cannot fall between them, and few enough for a 2160-line
 * picture at any rate.
 */
constexpr int kSamplesAcross = 4;
constexpr int kSamplesDown = 2;
constexpr int kSamples = kSamplesAcross * kSamplesDown;

/** Where sample `index` of `count` lies along an axis of `size` pixels. */
int samplePosition(int64_t index, int64_t count, int size) {
  return static_cast<int>((2 * index + 1) * size / (2 * count));
}

/** The four bytes of a row that hold a pixel: UYVY U, luma, V, luma, shared by two; BGRA its own. */
struct PixelPlace {
  ptrdiff_t firstByte;
  /** Where luma, or green, is in them. */
  uint32_t middleBit;
};

PixelPlace sampleAt(int x, PixelFormat format) {
  if (format == PixelFormat::Bgra) return {.firstByte = ptrdiff_t{4} * x, .middleBit = 8};
  return {.firstByte = ptrdiff_t{2} * (x & ~1), .middleBit = x % 2 == 0 ? 8U : 24U};
}

int meanOf(uint32_t sum) {
  return static_cast<int>((sum + kSamples / 2) / kSamples);
}

Rgb reduced(const std::array<const uint8_t*, kSamplesDown>& rows, const PixelPlace* samples,
            PixelFormat format, const ColourMatrix& matrix) {
  // The first and the third byte are summed up side by side.
  uint32_t outer = 0;
  uint32_t middle = 0;
  for (const uint8_t* row : rows) {
    for (int index = 0; index < kSamplesAcross; ++index) {
      uint32_t bytes;
      std::memcpy(&bytes, row + samples[index].firstByte, sizeof bytes);
      outer += bytes & 0x00FF00FF;
      middle += bytes >> samples[index].middleBit & 0xFF;
    }
  }
  const int first = meanOf(outer & 0xFFFF);
  const int second = meanOf(middle);
  const int third = meanOf(outer >> 16);
  if (format == PixelFormat::Uyvy) return toRgb(second, first, third, matrix);
  return {.red = static_cast<uint8_t>(third),
          .green = static_cast<uint8_t>(second),
          .blue = static_cast<uint8_t>(first)};
}

}  // namespace

PreviewSize previewSize(int width, int height, int maxWidth) {
  const int previewWidth = std::clamp(maxWidth, 1, width);
  const int64_t scaledHeight = (int64_t{height} * previewWidth + width / 2) / width;
  return {.width = previewWidth, .height = std::max(1, static_cast<int>(scaledHeight))};
}

void reduceToRgba(const PictureView& picture, PreviewSize size, uint8_t* rgba) {
  // A thread makes one preview after the other, of the same size.
  thread_local std::vector<PixelPlace> across;
  across.resize(static_cast<size_t>(size.width) * kSamplesAcross);
  for (size_t index = 0; index < across.size(); ++index) {
    const int x =
        samplePosition(static_cast<int64_t>(index), static_cast<int64_t>(across.size()), picture.width);
    across[index] = sampleAt(x, picture.format);
  }
  const ColourMatrix& matrix = colourMatrixFor(picture.height);
  for (int y = 0; y < size.height; ++y) {
    std::array<const uint8_t*, kSamplesDown> rows;
    for (int sample = 0; sample < kSamplesDown; ++sample) {
      rows[static_cast<size_t>(sample)] =
          rowOf(picture, samplePosition(int64_t{y} * kSamplesDown + sample,
                                        int64_t{size.height} * kSamplesDown, picture.height));
    }
    const PixelPlace* samples = across.data();
    for (int x = 0; x < size.width; ++x, samples += kSamplesAcross, rgba += 4) {
      const Rgb colour = reduced(rows, samples, picture.format, matrix);
      rgba[0] = colour.red;
      rgba[1] = colour.green;
      rgba[2] = colour.blue;
      rgba[3] = 255;
    }
  }
}

}  // namespace whiteline
