#include <array>
#include <cmath>
#include <cstring>
#include <vector>

#include "native/content/bgra.h"
#include "native/content/generators.h"
#include "native/content/loop_clock.h"

namespace whiteline::content {
namespace {

/** A ramp from dark to bright and back, as wide as the picture; levels are shares of full. */
struct Ramp {
  double red, green, blue;
  /** Level of the dark end, and what the bright end adds to it. */
  double dark, span;
  double turnsPerSecond;
};

/** Of equal height, from the top. Slow ones have steps many pixels wide; the dark ones show banding first. */
constexpr std::array<Ramp, 8> kRamps{{
    {1, 1, 1, 0, 1, 0.05},
    {1, 1, 1, 0, 0.125, -0.05},
    {1, 0, 0, 0, 1, 0.1},
    {0, 1, 0, 0, 1, -0.1},
    {0, 0, 1, 0, 1, 0.1},
    {1, 0.8, 0.65, 0.4, 0.25, -0.05},
    {0.35, 0.6, 1, 0.3, 0.7, 0.05},
    {1, 1, 1, 0.03, 0.06, -0.1},
}};

/** Ramps without dither that pass sideways: coarse quantisation shows as bands. */
class Gradients final : public Generator {
 public:
  explicit Gradients(const ClipShape& shape) : clock_(shape), width_(shape.width), height_(shape.height) {
    for (auto& row : rows_) row.resize(static_cast<size_t>(packedStride(shape.width, PixelFormat::Bgra)));
  }

  void begin(uint32_t frame) override {
    for (size_t index = 0; index < kRamps.size(); ++index) paintRamp(index, clock_.phase(frame));
  }

  void paintRows(const Picture& picture, int top, int bottom) const override {
    for (int y = top; y < bottom; ++y) {
      const std::vector<uint8_t>& row = rows_[static_cast<size_t>(y) * kRamps.size() / height_];
      std::memcpy(rowOf(picture, y), row.data(), row.size());
    }
  }

 private:
  void paintRamp(size_t index, double phase) {
    const Ramp& ramp = kRamps[index];
    const double shift = clock_.turns(ramp.turnsPerSecond) * phase;
    for (int x = 0; x < width_; ++x) {
      const double place = turnPart((x + 0.5) / width_ + shift);
      const double level = 255 * (ramp.dark + ramp.span * (1 - std::abs(2 * place - 1)));
      const auto rounded = [level](double share) { return static_cast<int>(std::lround(share * level)); };
      storeBgra(rows_[index].data() + 4 * x, rounded(ramp.red), rounded(ramp.green), rounded(ramp.blue));
    }
  }

  LoopClock clock_;
  int width_;
  size_t height_;
  std::array<std::vector<uint8_t>, kRamps.size()> rows_;
};

}  // namespace

std::unique_ptr<Generator> makeGradients(const ClipShape& shape) {
  return std::make_unique<Gradients>(shape);
}

}  // namespace whiteline::content
