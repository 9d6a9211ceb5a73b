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

/** The four bytes that hold a pixel: UYVY U, luma, V, luma, shared by two; BGRA its own. As sums of more than
 * one row each takes 16 bits. */
struct PixelPlace {
  size_t firstByte;
  /** Those of the four that are the pixel's. */
  uint64_t mask;
};

constexpr uint64_t kAllButFourth = 0x0000'FFFF'FFFF'FFFF;
constexpr uint64_t kAllButSecond = 0xFFFF'FFFF'0000'FFFF;

PixelPlace sampleAt(int x, PixelFormat format) {
  const auto place = static_cast<size_t>(x);
  if (format == PixelFormat::Bgra) return {.firstByte = 4 * place, .mask = kAllButFourth};
  return {.firstByte = 4 * (place / 2), .mask = x % 2 == 0 ? kAllButFourth : kAllButSecond};
}

/** Sums of the bytes that lie one below the other. */
void addRows(const uint8_t* upper, const uint8_t* lower, std::vector<uint16_t>& sums) {
  // In steps of one length, out of the way of the rows: so compilers make vectors of them.
  std::array<uint8_t, 16> above;
  std::array<uint8_t, 16> below;
  std::array<uint16_t, 16> both;
  size_t begin = 0;
  for (; begin + both.size() <= sums.size(); begin += both.size()) {
    std::memcpy(above.data(), upper + begin, sizeof above);
    std::memcpy(below.data(), lower + begin, sizeof below);
    for (size_t index = 0; index < both.size(); ++index) {
      both[index] = static_cast<uint16_t>(above[index] + below[index]);
    }
    std::memcpy(sums.data() + begin, both.data(), sizeof both);
  }
  for (; begin < sums.size(); ++begin) sums[begin] = static_cast<uint16_t>(upper[begin] + lower[begin]);
}

int meanOf(uint64_t sum) {
  return static_cast<int>(((sum & 0xFFFF) + kSamples / 2) / kSamples);
}

Rgb reduced(const uint16_t* sums, const PixelPlace* samples, PixelFormat format, const ColourMatrix& matrix) {
  uint64_t sum = 0;
  for (int index = 0; index < kSamplesAcross; ++index) {
    uint64_t bytes;
    std::memcpy(&bytes, sums + samples[index].firstByte, sizeof bytes);
    sum += bytes & samples[index].mask;
  }
  const int first = meanOf(sum);
  const int second = meanOf((sum >> 16) + (sum >> 48));
  const int third = meanOf(sum >> 32);
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

void reduceToRgba(const PictureView& picture, int frameHeight, PreviewSize size, uint8_t* rgba) {
  // A thread makes one preview after the other, of the same size.
  thread_local std::vector<PixelPlace> across;
  thread_local std::vector<uint16_t> sums;
  across.resize(static_cast<size_t>(size.width) * kSamplesAcross);
  for (size_t index = 0; index < across.size(); ++index) {
    const int x =
        samplePosition(static_cast<int64_t>(index), static_cast<int64_t>(across.size()), picture.width);
    across[index] = sampleAt(x, picture.format);
  }
  sums.resize(static_cast<size_t>(packedStride(picture.width, picture.format)));
  const ColourMatrix& matrix = colourMatrixFor(frameHeight);
  for (int y = 0; y < size.height; ++y) {
    const auto sampledRow = [&](int sample) {
      return rowOf(picture, samplePosition(int64_t{y} * kSamplesDown + sample,
                                           int64_t{size.height} * kSamplesDown, picture.height));
    };
    addRows(sampledRow(0), sampledRow(1), sums);
    const PixelPlace* samples = across.data();
    for (int x = 0; x < size.width; ++x, samples += kSamplesAcross, rgba += 4) {
      const Rgb colour = reduced(sums.data(), samples, picture.format, matrix);
      rgba[0] = colour.red;
      rgba[1] = colour.green;
      rgba[2] = colour.blue;
      rgba[3] = 255;
    }
  }
}

}  // namespace whiteline
