#include "native/media/pattern/picture_class.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "native/media/pattern/colour.h"

namespace whiteline {

namespace {

constexpr int kGridAcross = 64;
constexpr int kGridDown = 36;
constexpr int kGridSamples = kGridAcross * kGridDown;

/** The four bytes of a UYVY pixel pair or of a BGRA pixel. */
using Sample = std::array<uint8_t, 4>;

enum class Hue : size_t { Black, Green, Red, Other, Count };

Rgb colourOf(const Sample& sample, const PictureView& picture) {
  if (picture.format == PixelFormat::Uyvy) {
    return toRgb(sample[1], sample[0], sample[2], colourMatrixFor(picture.height));
  }
  return {.red = sample[2], .green = sample[1], .blue = sample[0]};
}

Hue hueOf(const Rgb& colour) {
  constexpr int kDark = 40;
  // The green of a UYVY buffer of zeros is no brighter than 77.
  constexpr int kBright = 60;
  const auto stands = [](int level, int other, int another) {
    return level >= kBright && level >= 2 * std::max(other, another);
  };
  if (std::max({colour.red, colour.green, colour.blue}) < kDark) return Hue::Black;
  if (stands(colour.green, colour.red, colour.blue)) return Hue::Green;
  if (stands(colour.red, colour.green, colour.blue)) return Hue::Red;
  return Hue::Other;
}

Sample sampleAt(const PictureView& picture, int column, int row) {
  const int x = (2 * column + 1) * picture.width / (2 * kGridAcross);
  const int y = (2 * row + 1) * picture.height / (2 * kGridDown);
  const int pixel = picture.format == PixelFormat::Uyvy ? x & ~1 : x;
  Sample sample;
  std::memcpy(sample.data(), rowOf(picture, y) + packedStride(pixel, picture.format), sample.size());
  return sample;
}

/** One step of FNV-1a over a whole sample. */
uint64_t hashed(uint64_t hash, const Sample& sample) {
  uint32_t word;
  std::memcpy(&word, sample.data(), sizeof word);
  return (hash ^ word) * 0x100000001B3;
}

}  // namespace

PictureClass PictureClassifier::classify(const PictureView& picture) {
  std::array<int, static_cast<size_t>(Hue::Count)> counts{};
  uint64_t hash = 0xCBF29CE484222325;
  for (int row = 0; row < kGridDown; ++row) {
    for (int column = 0; column < kGridAcross; ++column) {
      const Sample sample = sampleAt(picture, column, row);
      hash = hashed(hash, sample);
      ++counts[static_cast<size_t>(hueOf(colourOf(sample, picture)))];
    }
  }
  const bool repeats = previousHash_ == hash;
  previousHash_ = hash;

  const auto atLeastPercent = [&](Hue hue, int percent) {
    return counts[static_cast<size_t>(hue)] * 100 >= kGridSamples * percent;
  };
  // The last percent is left to what a codec makes of edges.
  if (atLeastPercent(Hue::Black, 99)) return PictureClass::Black;
  if (atLeastPercent(Hue::Green, 99)) return PictureClass::SolidGreen;
  if (atLeastPercent(Hue::Black, 50) && atLeastPercent(Hue::Green, 1) && atLeastPercent(Hue::Red, 1) &&
      !atLeastPercent(Hue::Other, 5)) {
    return PictureClass::Placeholder;
  }
  return repeats ? PictureClass::Frozen : PictureClass::Other;
}

}  // namespace whiteline
