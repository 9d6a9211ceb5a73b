#include "native/media/pattern/noise_field.h"

#include <cstring>
#include <span>

namespace whiteline {

namespace {

/** Places in the field where a frame may begin, one pixel pair apart. A power of two, as permuted() needs. */
constexpr size_t kPlaces = 1 << 16;

size_t pairBytes(PixelFormat format) {
  return static_cast<size_t>(packedStride(2, format));
}

/** SplitMix64: the next of a sequence of well-mixed numbers. */
uint64_t nextRandom(uint64_t& state) {
  uint64_t mixed = state += 0x9E3779B97F4A7C15;
  mixed = (mixed ^ mixed >> 30) * 0xBF58476D1CE4E5B9;
  mixed = (mixed ^ mixed >> 27) * 0x94D049BB133111EB;
  return mixed ^ mixed >> 31;
}

/** From 0…255 to low…high. */
uint8_t scaled(uint8_t byte, unsigned low, unsigned high) {
  return static_cast<uint8_t>(low + byte * (high - low + 1) / 256);
}

void makeNoise(std::span<uint8_t> field, PixelFormat format, uint64_t seed) {
  for (size_t index = 0; index < field.size(); index += sizeof seed) {
    const uint64_t random = nextRandom(seed);
    std::memcpy(field.data() + index, &random, sizeof random);
  }
  if (format == PixelFormat::Uyvy) {
    for (size_t index = 0; index < field.size(); index += 2) {
      field[index] = scaled(field[index], 16, 240);
      field[index + 1] = scaled(field[index + 1], 16, 235);
    }
  } else {
    for (size_t index = 3; index < field.size(); index += 4) field[index] = 255;
  }
}

/** A permutation of 0…kPlaces − 1 without a visible order: each step can be undone. */
size_t permuted(uint64_t number) {
  constexpr uint64_t kMask = kPlaces - 1;
  number = (number * 0x9E35 + 0x79B9) & kMask;
  number ^= number >> 7;
  number = number * 0x6C8F & kMask;
  number ^= number >> 9;
  return number;
}

}  // namespace

NoiseField::NoiseField(int width, int height, PixelFormat format, uint64_t seed)
    : width_(width), height_(height), format_(format) {
  constexpr size_t kWord = sizeof seed;
  const size_t bytes = pictureBytes(width, height, format) + (kPlaces - 1) * pairBytes(format);
  field_ = PageMemory((bytes + kWord - 1) / kWord * kWord);
  makeNoise({field_.data(), field_.size()}, format, seed);
}

void NoiseField::paint(const Picture& picture, uint32_t frameNumber) const {
  const uint8_t* const noise = field_.data() + permuted(frameNumber) * pairBytes(format_);
  const size_t rowBytes = static_cast<size_t>(packedStride(width_, format_));
  if (picture.strideBytes == packedStride(width_, format_)) {
    std::memcpy(picture.data, noise, pictureBytes(width_, height_, format_));
    return;
  }
  for (int y = 0; y < height_; ++y) {
    std::memcpy(rowOf(picture, y), noise + static_cast<size_t>(y) * rowBytes, rowBytes);
  }
}

}  // namespace whiteline
