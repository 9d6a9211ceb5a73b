#include "native/media/audio/peak_level.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <optional>
#include <vector>

namespace whiteline {
namespace {

IncomingAudio blockOf(const std::vector<float>& samples, int channels, int stride) {
  return {samples.data(), stride, 48'000, std::nullopt, channels, stride};
}

TEST(PeakLevel, IsTheLoudestSampleOfAllChannelsSinceItWasTaken) {
  PeakLevel level;
  EXPECT_EQ(level.takeDbfs(), std::nullopt);
  // Two channels of three samples: the second one is louder.
  level.hear(blockOf({0.001F, -0.01F, 0, 0, -0.1F, 0.05F}, 2, 3));
  level.hear(blockOf({0.02F, 0, 0}, 1, 3));
  EXPECT_NEAR(level.takeDbfs().value_or(0), -20, 0.001);
  EXPECT_EQ(level.takeDbfs(), std::nullopt);
}

TEST(PeakLevel, KnowsSilenceFromNoSound) {
  PeakLevel level;
  level.hear(blockOf({0, 0, 0}, 1, 3));
  EXPECT_EQ(level.takeDbfs(), PeakLevel::kFloorDbfs);
  level.hear({nullptr, 3, 48'000, std::nullopt});
  EXPECT_EQ(level.takeDbfs(), std::nullopt);
}

TEST(PeakLevel, TakesWhateverAForeignSenderSends) {
  PeakLevel level;
  constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
  level.hear(blockOf({kNan, 1, kNan}, 1, 3));
  EXPECT_EQ(level.takeDbfs(), 0);
  level.hear(blockOf({std::numeric_limits<float>::infinity()}, 1, 1));
  EXPECT_EQ(level.takeDbfs(), -PeakLevel::kFloorDbfs);
}

}  // namespace
}  // namespace whiteline
