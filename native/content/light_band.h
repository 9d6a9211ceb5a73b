#pragma once

#include <span>
#include <vector>

#include "native/content/grain.h"
#include "native/media/pattern/picture.h"

namespace whiteline::content {

/** In shares of full white; light adds up and may exceed 1. */
struct Light {
  float red;
  float green;
  float blue;
};

constexpr Light operator*(const Light& light, float share) {
  return {light.red * share, light.green * share, light.blue * share};
}

/** Some rows of a frame to which light is added before they become pixels. */
class LightBand {
 public:
  LightBand(int width, int top, int bottom);

  int width() const { return width_; }
  int top() const { return top_; }
  int bottom() const { return bottom_; }
  /** The row's pixels; `y` counts from the picture's top. */
  std::span<Light> row(int y);

  /**
   * Adds a round spot that is brightest at its centre. One smaller than a pixel gives the light that it would
   * give, spread over one.
   */
  void addSpot(double centreX, double centreY, double radius, const Light& light);
  /** Adds an evenly lit disc with a soft edge. */
  void addDisc(double centreX, double centreY, double radius, const Light& light);

  /** Full light is full level. */
  void paint(const Picture& picture) const;
  /** The same with grain, in levels, on every pixel whose channels together have at least `from`. */
  void paintDithered(const Picture& picture, const Grain& grain, uint32_t frame, float from) const;

 private:
  template <class Dither>
  void paintRow(const Picture& picture, int y, Dither&& dither) const;
  template <class Profile>
  void addRound(double centreX, double centreY, double radius, const Light& light, Profile&& profile);

  int width_;
  int top_;
  int bottom_;
  std::vector<Light> lights_;
};

}  // namespace whiteline::content
