#include "native/content/generators.h"
#include "native/content/light_band.h"
#include "native/content/particle_field.h"

namespace whiteline::content {
namespace {

constexpr uint64_t kParticlesSeed = 0x504152;
constexpr ParticleStyle kStyle{.count = 120000,
                               .smallestRadius = 0.0009,
                               .largestRadius = 0.006,
                               .dimmest = 0.4,
                               .brightest = 2,
                               .fastest = 0.25,
                               .driftAcross = 0.05,
                               .driftDown = 0.12};

/** A storm of small bright points over black: each moves its own way, so no block of pixels moves as one. */
class Particles final : public Generator {
 public:
  explicit Particles(const ClipShape& shape) : particles_(shape, kStyle, kParticlesSeed) {}

  void begin(uint32_t frame) override { particles_.begin(frame); }

  void paintRows(const Picture& picture, int top, int bottom) const override {
    LightBand band(picture.width, top, bottom);
    particles_.addTo(band);
    band.paint(picture);
  }

 private:
  ParticleField particles_;
};

}  // namespace

std::unique_ptr<Generator> makeParticles(const ClipShape& shape) {
  return std::make_unique<Particles>(shape);
}

}  // namespace whiteline::content
