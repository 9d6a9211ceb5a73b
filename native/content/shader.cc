#include <array>

#include "native/content/bgra.h"
#include "native/content/generators.h"
#include "native/content/loop_clock.h"
#include "native/content/wave_table.h"

namespace whiteline::content {
namespace {

/** A plane wave whose phase is bent by the waves before it. */
struct BentWave {
  /** Waves across and down one height of the picture. */
  double across, down;
  double turnsPerSecond;
  /** Turns of phase that a full swing of each wave before adds. */
  std::array<double, 3> bend;
};

constexpr std::array<BentWave, 4> kWaves{{
    {1.3, 2.1, 0.35, {}},
    {4.7, -3.1, -0.5, {1.6}},
    {23, 17, 1.1, {1.9, 2.3}},
    {-29, 37, -1.7, {0.8, 1.2, 0.9}},
}};

/** Waves bent by waves, as live visuals make them: fine coloured detail everywhere that moves fast and in no
 * one direction. */
class Shader final : public Generator {
 public:
  explicit Shader(const ClipShape& shape) : clock_(shape) {
    for (size_t index = 0; index < kWaves.size(); ++index) {
      const BentWave& wave = kWaves[index];
      acrossStep_[index] = WaveTable::angleOf(wave.across / shape.height);
      downStep_[index] = WaveTable::angleOf(wave.down / shape.height);
      for (size_t other = 0; other < index; ++other) {
        bend_[index][other] = static_cast<uint32_t>(wave.bend[other] * (0x1p32 / 32767));
      }
    }
  }

  void begin(uint32_t frame) override {
    for (size_t index = 0; index < kWaves.size(); ++index) {
      start_[index] = WaveTable::angleOf(clock_.turns(kWaves[index].turnsPerSecond) * clock_.phase(frame));
    }
  }

  void paintRows(const Picture& picture, int top, int bottom) const override {
    for (int y = top; y < bottom; ++y) {
      std::array<uint32_t, kWaves.size()> angle;
      for (size_t index = 0; index < kWaves.size(); ++index) {
        angle[index] = start_[index] + downStep_[index] * static_cast<uint32_t>(y);
      }
      uint8_t* pixel = rowOf(picture, y);
      for (int x = 0; x < picture.width; ++x, pixel += 4) {
        const int first = waves_.at(angle[0]);
        const int second = waves_.at(angle[1] + bent(1, 0, first));
        const int third = waves_.at(angle[2] + bent(2, 0, first) + bent(2, 1, second));
        const int fourth = waves_.at(angle[3] + bent(3, 0, first) + bent(3, 1, second) + bent(3, 2, third));
        storeBgra(pixel, level(third, second), level(fourth, first), level(fourth, third));
        for (size_t index = 0; index < kWaves.size(); ++index) angle[index] += acrossStep_[index];
      }
    }
  }

 private:
  uint32_t bent(size_t index, size_t other, int wave) const {
    return bend_[index][other] * static_cast<uint32_t>(wave);
  }
  /** Two waves, the second half as strong, to 0…255. */
  static int level(int strong, int weak) { return 128 + (2 * strong + weak) / 768; }

  LoopClock clock_;
  WaveTable waves_;
  std::array<uint32_t, kWaves.size()> acrossStep_{}, downStep_{}, start_{};
  std::array<std::array<uint32_t, kWaves.size()>, kWaves.size()> bend_{};
};

}  // namespace

std::unique_ptr<Generator> makeShader(const ClipShape& shape) {
  return std::make_unique<Shader>(shape);
}

}  // namespace whiteline::content
