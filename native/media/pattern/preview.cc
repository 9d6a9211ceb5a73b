#include "native/media/pattern/preview.h"

#include <algorithm>
#include <array>
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

int meanOf(int sum) {
  return (sum + kSamples / 2) / kSamples;
}

Rgb reducedUyvy(const std::array<const uint8_t*, kSamplesDown>& rows, const int* columns,
                const ColourMatrix& matrix) {
  int luma = 0;
  int u = 0;
  int v = 0;
  for (const uint8_t* row : rows) {
    for (int sample = 0; sample < kSamplesAcross; ++sample) {
      const int x = columns[sample];
      const uint8_t* const pair = row + 2 * (x & ~1);
      luma += row[2 * x + 1];
      u += pair[0];
      v += pair[2];
    }
  }
  return toRgb(meanOf(luma), meanOf(u), meanOf(v), matrix);
}

Rgb reducedBgra(const std::array<const uint8_t*, kSamplesDown>& rows, const int* columns) {
  int red = 0;
  int green = 0;
  int blue = 0;
  for (const uint8_t* row : rows) {
    for (int sample = 0; sample < kSamplesAcross; ++sample) {
      const uint8_t* const pixel = row + 4 * columns[sample];
      blue += pixel[0];
      green += pixel[1];
      red += pixel[2];
    }
  }
  return {.red = static_cast<uint8_t>(meanOf(red)),
          .green = static_cast<uint8_t>(meanOf(green)),
          .blue = static_cast<uint8_t>(meanOf(blue))};
}

}  // namespace

PreviewSize previewSize(int width, int height, int maxWidth) {
  const int previewWidth = std::clamp(maxWidth, 1, width);
  const int64_t scaledHeight = (int64_t{height} * previewWidth + width / 2) / width;
  return {.width = previewWidth, .height = std::max(1, static_cast<int>(scaledHeight))};
}

void reduceToRgba(const PictureView& picture, PreviewSize size, uint8_t* rgba) {
  // A thread makes one preview after the other, of the same size.
  thread_local std::vector<int> columns;
  columns.resize(static_cast<size_t>(size.width) * kSamplesAcross);
  for (size_t index = 0; index < columns.size(); ++index) {
    columns[index] =
        samplePosition(static_cast<int64_t>(index), static_cast<int64_t>(columns.size()), picture.width);
  }
  const ColourMatrix& matrix = colourMatrixFor(picture.height);
  for (int y = 0; y < size.height; ++y) {
    std::array<const uint8_t*, kSamplesDown> rows;
    for (int sample = 0; sample < kSamplesDown; ++sample) {
      rows[static_cast<size_t>(sample)] =
          rowOf(picture, samplePosition(int64_t{y} * kSamplesDown + sample,
                                        int64_t{size.height} * kSamplesDown, picture.height));
    }
    const int* samples = columns.data();
    for (int x = 0; x < size.width; ++x, samples += kSamplesAcross, rgba += 4) {
      const Rgb colour = picture.format == PixelFormat::Uyvy ? reducedUyvy(rows, samples, matrix)
                                                             : reducedBgra(rows, samples);
      rgba[0] = colour.red;
      rgba[1] = colour.green;
      rgba[2] = colour.blue;
      rgba[3] = 255;
    }
  }
}

}  // namespace whiteline
