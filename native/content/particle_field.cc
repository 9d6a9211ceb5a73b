#include "native/content/particle_field.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "native/content/random.h"

namespace whiteline::content {
namespace {

/** Particles leave and enter so far outside of the picture, in heights, so that none appears in it. */
constexpr double kMargin = 0.06;
constexpr double kWidestSway = 0.03;
/** Pixels around its radius that a small spot may light. */
constexpr double kReach = 1;

/** Of full saturation, brightest channel 1. */
Light colourOf(double hue, float saturation) {
  const auto channel = [hue, saturation](double offset) {
    const auto level = static_cast<float>(0.5 + 0.5 * wave(hue + offset));
    return 1 - saturation + saturation * level;
  };
  return {channel(0), channel(1.0 / 3), channel(2.0 / 3)};
}

}  // namespace

ParticleField::ParticleField(const ClipShape& shape, const ParticleStyle& style, uint64_t seed)
    : clock_(shape),
      width_(shape.width),
      height_(shape.height),
      mostRows_(static_cast<size_t>(2 * (style.largestRadius * height_ + kReach)) + 1),
      particles_(static_cast<size_t>(style.count)),
      spots_(particles_.size()),
      ordered_(particles_.size()),
      beginOfRow_(static_cast<size_t>(shape.height) + 1) {
  const double fieldWidth = width_ / height_ + 2 * kMargin;
  constexpr double kFieldHeight = 1 + 2 * kMargin;
  Random random(seed);
  for (Particle& particle : particles_) {
    particle.x = random.unit();
    particle.y = random.unit();
    const double across = style.driftAcross + random.between(-style.fastest, style.fastest);
    const double down = style.driftDown + random.between(-style.fastest, style.fastest);
    particle.turnsAcross = clock_.turns(across / fieldWidth);
    particle.turnsDown = clock_.turns(down / kFieldHeight);
    particle.sway = random.between(0, kWidestSway);
    particle.swayTurns = clock_.turns(random.between(0.2, 0.6));
    particle.twinkleTurns = clock_.turns(random.between(0.3, 2));
    particle.twinkleStart = random.unit();
    // The cube makes the large and the bright ones few.
    const double size = std::pow(random.unit(), 3);
    particle.radius = style.smallestRadius + size * (style.largestRadius - style.smallestRadius);
    const double brightness = style.dimmest + std::pow(random.unit(), 3) * (style.brightest - style.dimmest);
    particle.light = colourOf(random.unit(), 0.6F) * static_cast<float>(brightness);
  }
}

void ParticleField::begin(uint32_t frame) {
  std::fill(beginOfRow_.begin(), beginOfRow_.end(), 0);
  for (size_t index = 0; index < particles_.size(); ++index) {
    spots_[index] = spotOf(particles_[index], clock_.phase(frame));
    ++beginOfRow_[spots_[index].firstRow];
  }
  // From counts to places, which the spots then take one after the other.
  std::exclusive_scan(beginOfRow_.begin(), beginOfRow_.end(), beginOfRow_.begin(), size_t{0});
  for (const Spot& spot : spots_) ordered_[beginOfRow_[spot.firstRow]++] = spot;
  // Each row's place is now that of the next row.
  std::shift_right(beginOfRow_.begin(), beginOfRow_.end(), 1);
  beginOfRow_.front() = 0;
}

ParticleField::Spot ParticleField::spotOf(const Particle& particle, double phase) const {
  const double fieldWidth = width_ + 2 * kMargin * height_;
  const double fieldHeight = height_ + 2 * kMargin * height_;
  const double sway = particle.sway * wave(particle.twinkleStart + particle.swayTurns * phase);
  const double twinkle = 0.6 + 0.4 * wave(particle.twinkleStart + particle.twinkleTurns * phase);
  const double x =
      turnPart(particle.x + particle.turnsAcross * phase) * fieldWidth + (sway - kMargin) * height_;
  const double y = turnPart(particle.y + particle.turnsDown * phase) * fieldHeight - kMargin * height_;
  const double radius = particle.radius * height_;
  const double firstRow = std::clamp(std::floor(y - radius - kReach), 0.0, height_);
  return {x, y, radius, particle.light * static_cast<float>(twinkle), static_cast<size_t>(firstRow)};
}

void ParticleField::addTo(LightBand& band) const {
  const auto top = static_cast<size_t>(band.top());
  const size_t firstRow = top > mostRows_ ? top - mostRows_ : 0;
  const auto first = beginOfRow_[firstRow];
  const auto last = beginOfRow_[static_cast<size_t>(band.bottom())];
  for (size_t index = first; index < last; ++index) {
    const Spot& spot = ordered_[index];
    band.addSpot(spot.x, spot.y, spot.radius, spot.light);
  }
}

}  // namespace whiteline::content
