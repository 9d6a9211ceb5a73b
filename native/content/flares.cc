#include <array>
#include <cmath>

#include "native/content/generators.h"
#include "native/content/light_field.h"
#include "native/content/loop_clock.h"
#include "native/content/particle_field.h"
#include "native/content/random.h"

namespace whiteline::content {
namespace {

constexpr uint64_t kFlaresSeed = 0x464C41;
constexpr int kFlares = 9;
/** Images of a flare in the lens, on the line through the picture's centre: place on it (1 is the flare
 * itself, 0 the centre) and radius. */
struct Ghost {
  double place;
  double radius;
};
constexpr std::array<Ghost, 3> kGhosts{{{0.45, 0.035}, {-0.3, 0.06}, {-0.75, 0.095}}};
constexpr float kGhostLight = 0.07F;

constexpr double kGlowRadius = 0.075;
constexpr double kCoreRadius = 0.03;
constexpr float kCoreLight = 3;
/** Half thickness and half length of the streak that a flare draws across the picture. */
constexpr double kStreakThickness = 0.009;
constexpr double kStreakLength = 0.35;
constexpr float kStreakLight = 0.8F;

constexpr ParticleStyle kSparks{.count = 14000,
                                .smallestRadius = 0.0012,
                                .largestRadius = 0.008,
                                .dimmest = 0.1,
                                .brightest = 1.6,
                                .fastest = 0.3,
                                .driftAcross = 0.1,
                                .driftDown = -0.15};

/**
 * Renderers dither bright glows so that they do not band; nothing is harder to compress. The standard
 * deviation in levels, and from how much light on (all channels together). With these and the number of
 * sparks the clip has the bitrate it is meant to have: 1.8 Gb/s as Hap Q at 3840×2160@60.
 */
constexpr double kDither = 1;
constexpr float kDitherFrom = 1.2F;

/** Bright flares with glow, streak and lens ghosts, and sparks, over slow gradients. */
class Flares final : public Generator {
 public:
  explicit Flares(const ClipShape& shape)
      : clock_(shape),
        width_(shape.width),
        height_(shape.height),
        glow_(shape.width, shape.height),
        sparks_(shape, kSparks, kFlaresSeed),
        dither_(shape.width, kDither, kFlaresSeed) {
    Random random(kFlaresSeed);
    for (Path& path : paths_) {
      path = {
          .turnsAcross = clock_.turns(random.between(0.08, 0.3)),
          .turnsDown = clock_.turns(random.between(-0.3, -0.08)),
          .pulseTurns = clock_.turns(random.between(0.3, 1.2)),
          .startAcross = random.unit(),
          .startDown = random.unit(),
          .light = {static_cast<float>(random.between(0.35, 1)), static_cast<float>(random.between(0.3, 0.8)),
                    static_cast<float>(random.between(0.35, 1))}};
    }
  }

  void begin(uint32_t frame) override {
    frame_ = frame;
    const double phase = clock_.phase(frame);
    for (int index = 0; index < kFlares; ++index) {
      const Path& path = paths_[static_cast<size_t>(index)];
      const double pulse = 0.75 + 0.25 * wave(path.startDown + path.pulseTurns * phase);
      flares_[static_cast<size_t>(index)] = {
          .x = width_ * (0.5 + 0.46 * wave(path.startAcross + path.turnsAcross * phase)),
          .y = height_ * (0.5 + 0.42 * wave(path.startDown + path.turnsDown * phase)),
          .light = path.light * static_cast<float>(pulse)};
    }
    for (int row = 0; row < glow_.rows(); ++row) {
      for (int column = 0; column < glow_.columns(); ++column) {
        glow_.at(column, row) = softLightAt(glow_.placeOf(column), glow_.placeOf(row), phase);
      }
    }
    sparks_.begin(frame);
  }

  void paintRows(const Picture& picture, int top, int bottom) const override {
    LightBand band(picture.width, top, bottom);
    glow_.addTo(band);
    sparks_.addTo(band);
    for (const Flare& flare : flares_) {
      addStreak(flare, band);
      for (const Ghost& ghost : kGhosts) {
        band.addDisc(width_ * 0.5 + ghost.place * (flare.x - width_ * 0.5),
                     height_ * 0.5 + ghost.place * (flare.y - height_ * 0.5), ghost.radius * height_,
                     flare.light * kGhostLight);
      }
      band.addSpot(flare.x, flare.y, kCoreRadius * height_, flare.light * kCoreLight);
    }
    band.paintDithered(picture, dither_, frame_, kDitherFrom);
  }

 private:
  struct Path {
    int turnsAcross, turnsDown, pulseTurns;
    double startAcross, startDown;
    Light light;
  };
  /** In pixels, for the frame begun. */
  struct Flare {
    double x, y;
    Light light;
  };

  /** The gradient behind all, and the glow of every flare. */
  Light softLightAt(double x, double y, double phase) const {
    const double across = x / height_;
    const double down = y / height_;
    const auto swell = [&](double waves, double offset) {
      return static_cast<float>(0.5 +
                                0.5 * wave(waves * across + 0.3 * down + offset + clock_.turns(0.1) * phase));
    };
    Light light{0.05F + 0.10F * swell(0.25, 0), 0.02F + 0.05F * swell(0.4, 0.3),
                0.10F + 0.20F * swell(0.3, 0.6)};
    for (const Flare& flare : flares_) {
      const double dx = (x - flare.x) / (kGlowRadius * height_);
      const double dy = (y - flare.y) / (kGlowRadius * height_);
      const auto share = static_cast<float>(1 / (1 + dx * dx + dy * dy));
      light.red += flare.light.red * share;
      light.green += flare.light.green * share;
      light.blue += flare.light.blue * share;
    }
    return light;
  }

  void addStreak(const Flare& flare, LightBand& band) const {
    for (int y = band.top(); y < band.bottom(); ++y) {
      const double off = std::abs(y + 0.5 - flare.y) / (kStreakThickness * height_);
      if (off >= 1) continue;
      const Light light = flare.light * static_cast<float>(kStreakLight * (1 - off) * (1 - off));
      const std::span<Light> pixels = band.row(y);
      for (size_t x = 0; x < pixels.size(); ++x) {
        const double along = (static_cast<double>(x) + 0.5 - flare.x) / (kStreakLength * height_);
        const auto share = static_cast<float>(1 / (1 + along * along));
        pixels[x].red += light.red * share;
        pixels[x].green += light.green * share;
        pixels[x].blue += light.blue * share;
      }
    }
  }

  LoopClock clock_;
  double width_;
  double height_;
  LightField glow_;
  ParticleField sparks_;
  Grain dither_;
  std::array<Path, kFlares> paths_;
  std::array<Flare, kFlares> flares_{};
  uint32_t frame_ = 0;
};

}  // namespace

std::unique_ptr<Generator> makeFlares(const ClipShape& shape) {
  return std::make_unique<Flares>(shape);
}

}  // namespace whiteline::content
