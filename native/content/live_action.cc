#include <array>
#include <cmath>
#include <cstring>
#include <vector>

#include "native/content/bgra.h"
#include "native/content/generators.h"
#include "native/content/grain.h"
#include "native/content/loop_clock.h"
#include "native/content/random.h"
#include "native/content/scenery.h"

namespace whiteline::content {
namespace {

constexpr uint64_t kLiveActionSeed = 0x4C495645;
constexpr int kObjects = 7;
/** Objects leave and enter so far outside of the picture, in heights. */
constexpr double kObjectMargin = 0.35;
/** Standard deviation of the film's grain, in levels. */
constexpr double kGrain = 3;

/** A tremor of the hand: heights (roll: turns), and times a second. */
struct Tremor {
  double size;
  double perSecond;
};
constexpr std::array<Tremor, 3> kShake{{{0.006, 0.9}, {0.002, 3.1}, {0.0007, 7.3}}};
constexpr std::array<Tremor, 2> kRoll{{{0.0015, 0.7}, {0.0003, 4.1}}};

/**
 * What a hand-held camera would take: a slow pan and zoom over scenery with things that pass in front of it,
 * shake and film grain.
 */
class LiveActionLike final : public Generator {
 public:
  explicit LiveActionLike(const ClipShape& shape)
      : clock_(shape),
        height_(shape.height),
        aspect_(static_cast<double>(shape.width) / shape.height),
        scenery_(shape.height, kLiveActionSeed),
        grain_(shape.width, kGrain, kLiveActionSeed) {
    Random random(kLiveActionSeed);
    for (Passage& passage : passages_) {
      const double speed = random.between(0.1, 0.5) * (random.unit() < 0.5 ? -1 : 1);
      passage = {.start = random.unit(),
                 .turns = clock_.turns(speed / (aspect_ + 2 * kObjectMargin)),
                 .level = random.between(0.2, 0.9),
                 .bobTurns = clock_.turns(random.between(0.3, 1.5)),
                 .radiusX = random.between(0.05, 0.16),
                 .radiusY = random.between(0.1, 0.3),
                 .textureX = random.between(0, Scenery::kHeights),
                 .textureY = random.between(0, Scenery::kHeights)};
    }
  }

  void begin(uint32_t frame) override {
    frame_ = frame;
    const double phase = clock_.phase(frame);
    const double zoom = 1 + 0.15 * wave(clock_.turns(0.1) * phase);
    const double roll = trembling(kRoll, 0.2, phase);
    stepX_ = std::cos(kTwoPi * roll) / height_ / zoom;
    stepY_ = std::sin(kTwoPi * roll) / height_ / zoom;
    cameraX_ = 0.6 * wave(clock_.turns(0.1) * phase) + trembling(kShake, 0, phase);
    cameraY_ = 0.2 * wave(clock_.turns(0.2) * phase) + trembling(kShake, 0.4, phase);
    for (size_t index = 0; index < passages_.size(); ++index) {
      const Passage& passage = passages_[index];
      const double across = turnPart(passage.start + passage.turns * phase);
      objects_[index] = {
          .x = across * (aspect_ + 2 * kObjectMargin) - kObjectMargin - trembling(kShake, 0, phase),
          .y = passage.level + 0.02 * wave(passage.start + passage.bobTurns * phase) -
               trembling(kShake, 0.4, phase)};
    }
  }

  void paintRows(const Picture& picture, int top, int bottom) const override {
    std::vector<uint32_t> row(static_cast<size_t>(picture.width));
    std::vector<uint32_t> object(row.size());
    for (int y = top; y < bottom; ++y) {
      // The camera turns and zooms around the picture's centre.
      const double right = -0.5 * picture.width + 0.5;
      const double down = y + 0.5 - 0.5 * picture.height;
      scenery_.sample({.x = cameraX_ + right * stepX_ - down * stepY_,
                       .y = cameraY_ + right * stepY_ + down * stepX_,
                       .stepX = stepX_,
                       .stepY = stepY_},
                      row.data(), picture.width);
      for (size_t index = 0; index < passages_.size(); ++index) paintObject(index, y, row, object);
      paintGrain(row, grain_.row(frame_, y), rowOf(picture, y));
    }
  }

 private:
  struct Passage {
    double start;
    int turns;
    double level;
    int bobTurns;
    double radiusX, radiusY;
    double textureX, textureY;
  };
  /** Its centre, in picture heights. */
  struct Object {
    double x, y;
  };

  template <size_t count>
  double trembling(const std::array<Tremor, count>& tremors, double start, double phase) const {
    double sum = 0;
    for (const Tremor& tremor : tremors)
      sum += tremor.size * wave(start + clock_.turns(tremor.perSecond) * phase);
    return sum;
  }

  /** The part of an object that lies in this row, over what is there. `line` is scratch of the same size. */
  void paintObject(size_t index, int y, std::vector<uint32_t>& row, std::vector<uint32_t>& line) const {
    const Passage& passage = passages_[index];
    const Object& object = objects_[index];
    const double down = (y + 0.5) / height_ - object.y;
    const double share = 1 - down * down / (passage.radiusY * passage.radiusY);
    if (share <= 0) return;
    const double halfSpan = passage.radiusX * std::sqrt(share);
    const auto width = static_cast<int>(row.size());
    const int first = std::clamp(static_cast<int>((object.x - halfSpan) * height_), 0, width);
    const int last = std::clamp(static_cast<int>((object.x + halfSpan) * height_), 0, width);
    if (first >= last) return;
    scenery_.sample({.x = passage.textureX + (first + 0.5) / height_ - object.x,
                     .y = passage.textureY + down,
                     .stepX = 1.0 / height_,
                     .stepY = 0},
                    line.data(), last - first);
    std::memcpy(row.data() + first, line.data(), static_cast<size_t>(last - first) * sizeof(uint32_t));
  }

  static void paintGrain(const std::vector<uint32_t>& row, const Grain::Number* grain, uint8_t* pixel) {
    for (size_t x = 0; x < row.size(); ++x, pixel += 4) {
      const uint32_t colour = row[x];
      const int add = grain[x];
      storeBgra(pixel, static_cast<int>(colour >> 16 & 255) + add, static_cast<int>(colour >> 8 & 255) + add,
                static_cast<int>(colour & 255) + add);
    }
  }

  LoopClock clock_;
  double height_;
  double aspect_;
  Scenery scenery_;
  Grain grain_;
  std::array<Passage, kObjects> passages_;
  std::array<Object, kObjects> objects_{};
  double cameraX_ = 0, cameraY_ = 0;
  /** Scenery that one pixel to the right is further on. */
  double stepX_ = 0, stepY_ = 0;
  uint32_t frame_ = 0;
};

}  // namespace

std::unique_ptr<Generator> makeLiveActionLike(const ClipShape& shape) {
  return std::make_unique<LiveActionLike>(shape);
}

}  // namespace whiteline::content
