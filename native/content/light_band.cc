#include "native/content/light_band.h"

#include <algorithm>
#include <cmath>

#include "native/content/bgra.h"

namespace whiteline::content {
namespace {

/** Part of a disc's radius over which its edge fades. */
constexpr double kEdge = 0.04;

}  // namespace

LightBand::LightBand(int width, int top, int bottom)
    : width_(width),
      top_(top),
      bottom_(bottom),
      lights_(static_cast<size_t>(width) * static_cast<size_t>(bottom - top)) {}

std::span<Light> LightBand::row(int y) {
  return std::span(lights_).subspan(static_cast<size_t>(y - top_) * static_cast<size_t>(width_),
                                    static_cast<size_t>(width_));
}

template <class Profile>
void LightBand::addRound(double centreX, double centreY, double radius, const Light& light,
                         Profile&& profile) {
  // Pixel (x, y) has its centre at (x + ½, y + ½).
  const int firstY = std::max(top_, static_cast<int>(std::ceil(centreY - radius - 0.5)));
  const int lastY = std::min(bottom_ - 1, static_cast<int>(std::floor(centreY + radius - 0.5)));
  for (int y = firstY; y <= lastY; ++y) {
    const double dy = y + 0.5 - centreY;
    const double halfSpan = std::sqrt(std::max(0.0, radius * radius - dy * dy));
    const int firstX = std::max(0, static_cast<int>(std::ceil(centreX - halfSpan - 0.5)));
    const int lastX = std::min(width_ - 1, static_cast<int>(std::floor(centreX + halfSpan - 0.5)));
    Light* const pixels = row(y).data();
    const auto scale = static_cast<float>(1 / (radius * radius));
    const auto squareY = static_cast<float>(dy * dy);
    for (int x = firstX; x <= lastX; ++x) {
      const auto dx = static_cast<float>(x + 0.5 - centreX);
      const float share = profile((dx * dx + squareY) * scale);
      pixels[x].red += light.red * share;
      pixels[x].green += light.green * share;
      pixels[x].blue += light.blue * share;
    }
  }
}

void LightBand::addSpot(double centreX, double centreY, double radius, const Light& light) {
  const double drawn = std::max(radius, 1.0);
  const auto dimmed = static_cast<float>(radius * radius / (drawn * drawn));
  addRound(centreX, centreY, drawn, light * dimmed,
           [](float squared) { return (1 - squared) * (1 - squared); });
}

void LightBand::addDisc(double centreX, double centreY, double radius, const Light& light) {
  addRound(centreX, centreY, radius, light,
           [](float squared) { return std::min(1.0F, (1 - squared) * static_cast<float>(0.5 / kEdge)); });
}

template <class Dither>
void LightBand::paintRow(const Picture& picture, int y, Dither&& dither) const {
  constexpr float kFull = 255;
  const Light* const lights = lights_.data() + static_cast<size_t>(y - top_) * static_cast<size_t>(width_);
  uint8_t* pixel = rowOf(picture, y);
  for (int x = 0; x < width_; ++x, pixel += 4) {
    const Light& light = lights[x];
    const float add = 0.5F + dither(x, light);
    const auto level = [add](float share) { return static_cast<int>(std::min(share, 2.0F) * kFull + add); };
    storeBgra(pixel, level(light.red), level(light.green), level(light.blue));
  }
}

void LightBand::paint(const Picture& picture) const {
  for (int y = top_; y < bottom_; ++y) {
    paintRow(picture, y, [](int, const Light&) { return 0.0F; });
  }
}

void LightBand::paintDithered(const Picture& picture, const Grain& grain, uint32_t frame, float from) const {
  for (int y = top_; y < bottom_; ++y) {
    paintRow(picture, y, [row = grain.row(frame, y), from](int x, const Light& light) {
      return light.red + light.green + light.blue >= from ? static_cast<float>(row[x]) : 0.0F;
    });
  }
}

}  // namespace whiteline::content
