#include "native/content/light_field.h"

#include <algorithm>

namespace whiteline::content {
namespace {

constexpr int kPointsInHeight = 135;
constexpr int kLeastStep = 4;

constexpr Light mix(const Light& from, const Light& to, float share) {
  return {from.red + (to.red - from.red) * share, from.green + (to.green - from.green) * share,
          from.blue + (to.blue - from.blue) * share};
}

}  // namespace

LightField::LightField(int width, int height)
    : step_(std::max(kLeastStep, height / kPointsInHeight)),
      columns_(width / step_ + 2),
      rows_(height / step_ + 2),
      points_(static_cast<size_t>(columns_) * static_cast<size_t>(rows_)) {}

void LightField::addTo(LightBand& band) const {
  for (int y = band.top(); y < band.bottom(); ++y) {
    Light* const pixels = band.row(y).data();
    Light left = lightAt(0, y);
    for (int begin = 0, column = 1; begin < band.width(); begin += step_, ++column) {
      const Light right = lightAt(column, y);
      const Light growth = Light{right.red - left.red, right.green - left.green, right.blue - left.blue} *
                           (1.0F / static_cast<float>(step_));
      const int end = std::min(begin + step_, band.width());
      Light light = left;
      for (int x = begin; x < end; ++x) {
        pixels[x].red += light.red;
        pixels[x].green += light.green;
        pixels[x].blue += light.blue;
        light = {light.red + growth.red, light.green + growth.green, light.blue + growth.blue};
      }
      left = right;
    }
  }
}

Light LightField::lightAt(int column, int y) const {
  const auto share = static_cast<float>(y % step_) / static_cast<float>(step_);
  return mix(points_[indexOf(column, y / step_)], points_[indexOf(column, y / step_ + 1)], share);
}

}  // namespace whiteline::content
