#include "native/media/pattern/background.h"

#include <algorithm>

#include "native/media/pattern/grey.h"

namespace whiteline {

namespace {

constexpr uint8_t kBackgroundLuma = 80;
constexpr uint8_t kGridLuma = 96;
constexpr uint8_t kAxisLuma = 140;
constexpr uint8_t kCentreLuma = 190;

/** Rows of square fields: few and dim enough for the white line to stand out in a small preview. */
constexpr int kFieldsInHeight = 9;
constexpr int kTicksPerField = 4;

/** Draws bars around the picture's centre, clipped to the picture. */
class Chart {
 public:
  explicit Chart(const Picture& picture)
      : picture_(picture), thickness_(2 * std::max(1, (picture.height + 540) / 1080)) {}

  /** A bar whose middle lies (`rightOfCentre`, `belowCentre`) from the picture's, of half the given size. */
  void bar(int rightOfCentre, int belowCentre, int halfWidth, int halfHeight, uint8_t luma) const {
    const int x = picture_.width / 2 + rightOfCentre;
    const int y = picture_.height / 2 + belowCentre;
    fillGrey(picture_,
             {.left = std::max(x - halfWidth, 0),
              .top = std::max(y - halfHeight, 0),
              .right = std::min(x + halfWidth, picture_.width),
              .bottom = std::min(y + halfHeight, picture_.height)},
             luma);
  }

  void vertical(int rightOfCentre, int halfLength, uint8_t luma) const {
    bar(rightOfCentre, 0, thickness_ / 2, halfLength, luma);
  }

  void horizontal(int belowCentre, int halfLength, uint8_t luma) const {
    bar(0, belowCentre, halfLength, thickness_ / 2, luma);
  }

 private:
  const Picture& picture_;
  int thickness_;
};

}  // namespace

void paintNeutralGrid(const Picture& picture) {
  const int width = picture.width;
  const int height = picture.height;
  const Chart chart(picture);
  const auto ticks = [&](int index) { return index * height / (kFieldsInHeight * kTicksPerField); };
  const auto fields = [&](int index) { return ticks(index * kTicksPerField); };
  const int ticksAcross = width * kFieldsInHeight * kTicksPerField / height / 2;
  const int ticksDown = kFieldsInHeight * kTicksPerField / 2;

  fillGrey(picture, {.left = 0, .top = 0, .right = width, .bottom = height}, kBackgroundLuma);

  for (int field = 1; field <= ticksAcross / kTicksPerField; ++field) {
    chart.vertical(-fields(field), height, kGridLuma);
    chart.vertical(fields(field), height, kGridLuma);
  }
  for (int field = 1; field <= ticksDown / kTicksPerField; ++field) {
    chart.horizontal(-fields(field), width, kGridLuma);
    chart.horizontal(fields(field), width, kGridLuma);
  }

  chart.vertical(0, height, kAxisLuma);
  chart.horizontal(0, width, kAxisLuma);
  const auto tickLength = [&](int tick) { return height / (tick % kTicksPerField == 0 ? 90 : 180); };
  for (int tick = 1; tick <= ticksAcross; ++tick) {
    chart.bar(-ticks(tick), 0, 1, tickLength(tick), kAxisLuma);
    chart.bar(ticks(tick), 0, 1, tickLength(tick), kAxisLuma);
  }
  for (int tick = 1; tick <= ticksDown; ++tick) {
    chart.bar(0, -ticks(tick), tickLength(tick), 1, kAxisLuma);
    chart.bar(0, ticks(tick), tickLength(tick), 1, kAxisLuma);
  }

  chart.vertical(0, fields(1), kCentreLuma);
  chart.horizontal(0, fields(1), kCentreLuma);
}

}  // namespace whiteline
