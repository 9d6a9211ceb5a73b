#include "native/content/scenery.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "native/content/bgra.h"
#include "native/content/grain.h"
#include "native/content/random.h"

namespace whiteline::content {
namespace {

/** Radii in picture heights. */
constexpr double kSmallest = 0.004;
constexpr double kLargest = 0.3;
/** Enough to cover everything about five times. */
constexpr int kThings = 45000;

/** Points a picture height at least, so that detail comes near to that of the picture's own pixels. */
constexpr double kPointsPerPixel = 0.7;
constexpr uint32_t kOpaque = 0xFF000000;
constexpr uint32_t kEvenBytes = 0x00FF00FF;

/** Bits of a fixed-point place below the whole points. */
constexpr int kFraction = 16;

/** Between two pixels, all four bytes at once; `share` is in 1/256. */
uint32_t mix(uint32_t from, uint32_t to, uint32_t share) {
  const auto half = [share](uint32_t a, uint32_t b) {
    return (a * (256 - share) + b * share) >> 8 & kEvenBytes;
  };
  return half(from & kEvenBytes, to & kEvenBytes) | half(from >> 8 & kEvenBytes, to >> 8 & kEvenBytes) << 8;
}

int64_t fixedPoint(double points) {
  return std::llround(points * (1 << kFraction));
}

}  // namespace

Scenery::Scenery(int pictureHeight, uint64_t seed) {
  const auto side = std::bit_ceil(static_cast<uint32_t>(kHeights * kPointsPerPixel * pictureHeight));
  shift_ = static_cast<uint32_t>(std::countr_zero(side));
  mask_ = side - 1;
  points_.assign(size_t{side} * side, kOpaque);
  paintThings(seed);
  soften();
}

void Scenery::paintThings(uint64_t seed) {
  const double pointsPerHeight = (mask_ + 1) / kHeights;
  const Grain texture(static_cast<int>(mask_ + 1), 12, seed);
  Random random(seed);
  for (uint32_t thing = 0; thing < kThings; ++thing) {
    // The number of things larger than r falls with 1/r².
    const double spread = random.unit();
    const double radius =
        pointsPerHeight / std::sqrt((1 - spread) / (kSmallest * kSmallest) + spread / (kLargest * kLargest));
    const double centreX = random.between(0, mask_ + 1);
    const double centreY = random.between(0, mask_ + 1);
    const double brightness = 20 * std::exp2(random.between(0, 3.3));
    const double warmth = random.between(-0.3, 0.3);
    const double greenness = random.between(-0.12, 0.12);
    const double shadeX = random.between(-0.35, 0.35) / radius;
    const double shadeY = random.between(-0.35, 0.35) / radius;
    const auto roughness = static_cast<int>(random.between(0, 1.6) * random.unit() * 256);
    const auto firstY = static_cast<int>(std::ceil(centreY - radius));
    const auto lastY = static_cast<int>(std::floor(centreY + radius));
    for (int y = firstY; y <= lastY; ++y) {
      const double halfSpan = std::sqrt(radius * radius - (y - centreY) * (y - centreY));
      const auto firstX = static_cast<int>(std::ceil(centreX - halfSpan));
      const auto lastX = static_cast<int>(std::floor(centreX + halfSpan));
      const Grain::Number* const rough = texture.row(thing, y);
      uint32_t* const row =
          points_.data() + (static_cast<size_t>(static_cast<uint32_t>(y) & mask_) << shift_);
      double level = brightness * (1 + shadeX * (firstX - centreX) + shadeY * (y - centreY));
      for (int x = firstX; x <= lastX; ++x, level += brightness * shadeX) {
        const double grey = level + (rough[x - firstX] * roughness >> 8);
        uint8_t* const pixel = reinterpret_cast<uint8_t*>(row + (static_cast<uint32_t>(x) & mask_));
        storeBgra(pixel, static_cast<int>(grey * (1 + warmth)), static_cast<int>(grey * (1 + greenness)),
                  static_cast<int>(grey * (1 - warmth)));
      }
    }
  }
}

/** A lens is never as sharp as a computed edge: each point becomes the mean of itself and three neighbours.
 */
void Scenery::soften() {
  const std::vector<uint32_t> sharp = points_;
  const auto sharpAt = [&](uint32_t x, uint32_t y) {
    return sharp[size_t{y & mask_} << shift_ | (x & mask_)];
  };
  for (uint32_t y = 0; y <= mask_; ++y) {
    for (uint32_t x = 0; x <= mask_; ++x) {
      const uint32_t above = mix(sharpAt(x, y), sharpAt(x + 1, y), 128);
      const uint32_t below = mix(sharpAt(x, y + 1), sharpAt(x + 1, y + 1), 128);
      points_[size_t{y} << shift_ | x] = mix(above, below, 128);
    }
  }
}

void Scenery::sample(const Line& line, uint32_t* pixels, int count) const {
  const double pointsPerHeight = (mask_ + 1) / kHeights;
  // Two's complement lets places left of and above the first point wrap as the others do.
  auto x = static_cast<uint64_t>(fixedPoint(line.x * pointsPerHeight));
  auto y = static_cast<uint64_t>(fixedPoint(line.y * pointsPerHeight));
  const auto stepX = static_cast<uint64_t>(fixedPoint(line.stepX * pointsPerHeight));
  const auto stepY = static_cast<uint64_t>(fixedPoint(line.stepY * pointsPerHeight));
  for (int index = 0; index < count; ++index, x += stepX, y += stepY) {
    const auto column = static_cast<uint32_t>(x >> kFraction);
    const auto row = static_cast<uint32_t>(y >> kFraction);
    const auto shareX = static_cast<uint32_t>(x >> (kFraction - 8) & 255);
    const auto shareY = static_cast<uint32_t>(y >> (kFraction - 8) & 255);
    const uint32_t above = mix(point(column, row), point(column + 1, row), shareX);
    const uint32_t below = mix(point(column, row + 1), point(column + 1, row + 1), shareX);
    pixels[index] = mix(above, below, shareY);
  }
}

}  // namespace whiteline::content
