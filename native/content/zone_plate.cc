#include "native/content/bgra.h"
#include "native/content/generators.h"
#include "native/content/loop_clock.h"
#include "native/content/wave_table.h"

namespace whiteline::content {
namespace {

/** Rings a second that leave the centre. */
constexpr double kRingsPerSecond = 4;

/** Rings that become finer outwards, up to one pixel black and one white at the left and right edge; they run
 * outwards. Every spatial frequency in every direction is in the picture once. */
class ZonePlate final : public Generator {
 public:
  explicit ZonePlate(const ClipShape& shape)
      : clock_(shape),
        turnsPerSquare_(0.5 / shape.width),
        centreX_(0.5 * shape.width),
        centreY_(0.5 * shape.height) {}

  void begin(uint32_t frame) override {
    start_ = WaveTable::angleOf(-clock_.turns(kRingsPerSecond) * clock_.phase(frame));
  }

  void paintRows(const Picture& picture, int top, int bottom) const override {
    for (int y = top; y < bottom; ++y) {
      // The angle is a·d² for the distance d. From one pixel to the next it grows by a·(2·dx + 1), which
      // grows by 2·a: whole numbers that wrap at a turn, so nothing is lost over a row but the rounding of a.
      const double dx = 0.5 - centreX_;
      const double dy = y + 0.5 - centreY_;
      uint32_t angle = start_ + WaveTable::angleOf(turnsPerSquare_ * (dx * dx + dy * dy));
      uint32_t growth = WaveTable::angleOf(turnsPerSquare_ * (2 * dx + 1));
      const uint32_t growthOfGrowth = WaveTable::angleOf(2 * turnsPerSquare_);
      uint8_t* pixel = rowOf(picture, y);
      for (int x = 0; x < picture.width; ++x, pixel += 4) {
        const int level = (waves_.at(angle) + 32768) >> 8;
        storeBgra(pixel, level, level, level);
        angle += growth;
        growth += growthOfGrowth;
      }
    }
  }

 private:
  LoopClock clock_;
  WaveTable waves_;
  double turnsPerSquare_;
  double centreX_;
  double centreY_;
  uint32_t start_ = 0;
};

}  // namespace

std::unique_ptr<Generator> makeZonePlate(const ClipShape& shape) {
  return std::make_unique<ZonePlate>(shape);
}

}  // namespace whiteline::content
