#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "native/content/bgra.h"
#include "native/content/generators.h"
#include "native/content/loop_clock.h"
#include "native/content/random.h"
#include "native/content/scenery.h"

namespace whiteline::content {
namespace {

constexpr uint64_t kCutsSeed = 0x43555453;

/** Another scene each second, with a slow pan in each: what comes after a cut can be predicted from nothing.
 */
class Cuts final : public Generator {
 public:
  explicit Cuts(const ClipShape& shape)
      : height_(shape.height),
        frames_(shape.frames),
        scenes_(static_cast<uint32_t>(std::max(2L, std::lround(LoopClock(shape).seconds())))),
        scenery_(shape.height, kCutsSeed) {}

  void begin(uint32_t frame) override {
    const double place = static_cast<double>(frame) * scenes_ / frames_;
    const auto scene = static_cast<uint32_t>(place);
    Random random(mixed(kCutsSeed + scene));
    const double turn = random.unit();
    const double scale = random.between(0.35, 1.4) / height_;
    const double panX = random.between(-0.15, 0.15);
    const double panY = random.between(-0.1, 0.1);
    const double exposure = std::exp2(random.between(-1, 1.2));
    line_ = {.x = random.between(0, Scenery::kHeights) + panX * (place - scene),
             .y = random.between(0, Scenery::kHeights) + panY * (place - scene),
             .stepX = std::cos(kTwoPi * turn) * scale,
             .stepY = std::sin(kTwoPi * turn) * scale};
    for (int& gain : gains_) gain = static_cast<int>(256 * exposure * random.between(0.55, 1.25));
  }

  void paintRows(const Picture& picture, int top, int bottom) const override {
    std::vector<uint32_t> row(static_cast<size_t>(picture.width));
    for (int y = top; y < bottom; ++y) {
      Scenery::Line line = line_;
      line.x -= y * line_.stepY;
      line.y += y * line_.stepX;
      scenery_.sample(line, row.data(), picture.width);
      uint8_t* pixel = rowOf(picture, y);
      for (const uint32_t colour : row) {
        const auto level = [&](size_t channel) {
          return static_cast<int>(colour >> (8 * channel) & 255) * gains_[channel] >> 8;
        };
        storeBgra(pixel, level(2), level(1), level(0));
        pixel += 4;
      }
    }
  }

 private:
  double height_;
  uint32_t frames_;
  uint32_t scenes_;
  Scenery scenery_;
  Scenery::Line line_{};
  /** Of blue, green and red, in 1/256. */
  std::array<int, 3> gains_{};
};

}  // namespace

std::unique_ptr<Generator> makeCuts(const ClipShape& shape) {
  return std::make_unique<Cuts>(shape);
}

}  // namespace whiteline::content
