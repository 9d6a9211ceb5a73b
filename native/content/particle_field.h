#pragma once

#include <cstdint>
#include <vector>

#include "native/content/light_band.h"
#include "native/content/loop_clock.h"

namespace whiteline::content {

/** Lengths are shares of the picture's height, speeds are per second. */
struct ParticleStyle {
  int count;
  double smallestRadius, largestRadius;
  /** Brightness of the dimmest and the brightest; far more are dim than bright. */
  double dimmest, brightest;
  /** Heights a second: the fastest in each direction, and the drift that all have. */
  double fastest;
  double driftAcross, driftDown;
};

/** Small bright particles that drift through the picture, sway and twinkle. */
class ParticleField {
 public:
  ParticleField(const ClipShape& shape, const ParticleStyle& style, uint64_t seed);

  void begin(uint32_t frame);
  void addTo(LightBand& band) const;

 private:
  struct Particle {
    double x, y;
    int turnsAcross, turnsDown;
    double sway;
    int swayTurns, twinkleTurns;
    double twinkleStart;
    double radius;
    Light light;
  };
  /** In pixels, for the frame begun. */
  struct Spot {
    double x, y, radius;
    Light light;
    /** The row in which it begins, those above the picture as its first. */
    size_t firstRow;
  };

  Spot spotOf(const Particle& particle, double phase) const;

  LoopClock clock_;
  double width_;
  double height_;
  /** Rows that the largest spot covers. */
  size_t mostRows_;
  std::vector<Particle> particles_;
  std::vector<Spot> spots_;
  /** The same by their first row, and where in them each row begins: a band need not read all. */
  std::vector<Spot> ordered_;
  std::vector<size_t> beginOfRow_;
};

}  // namespace whiteline::content
