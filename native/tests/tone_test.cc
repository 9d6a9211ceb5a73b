#include "native/media/audio/tone.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <string>
#include <vector>

namespace whiteline::test {
namespace {

struct Case {
  Rate rate;
  /** Slots from one burst to the next. */
  uint64_t interval;
};

/** The samples of slots from `first` on, one behind the other. */
std::vector<float> soundOf(Rate rate, uint64_t first, uint64_t count) {
  Tone tone(rate);
  std::vector<float> sound;
  for (uint64_t slot = first; slot < first + count; ++slot) {
    const std::span<const float> samples = tone.samplesOf(slot);
    sound.insert(sound.end(), samples.begin(), samples.end());
  }
  return sound;
}

double sineAt(size_t sample) {
  return 0.1 * std::sin(2 * std::numbers::pi * 1000 * static_cast<double>(sample) / 48'000);
}

class ToneTest : public testing::TestWithParam<Case> {};

TEST_P(ToneTest, blocksAddUpWithoutDrift) {
  const Rate rate = GetParam().rate;
  Tone tone(rate);
  for (const uint64_t begin : {uint64_t{0}, uint64_t{1} << 31, uint64_t{10'000'000'007}}) {
    const auto firstSample = [&](uint64_t slot) {
      // In whole seconds' worth of slots and what is left, neither of which has more than 64 bits.
      const uint64_t whole = slot / rate.numerator;
      const uint64_t rest = slot % rate.numerator;
      return whole * 48'000 * rate.denominator + rest * 48'000 * rate.denominator / rate.numerator;
    };
    uint64_t samples = 0;
    for (uint64_t slot = begin; slot < begin + 5000; ++slot) samples += tone.samplesOf(slot).size();
    EXPECT_EQ(samples, firstSample(begin + 5000) - firstSample(begin));
  }
}

TEST_P(ToneTest, aBurstBeginsOnceInTheRoundedRateAndTheRestIsSilent) {
  const auto [rate, interval] = GetParam();
  std::vector<size_t> begins;
  const std::vector<float> sound = soundOf(rate, 0, 3 * interval);
  for (uint64_t burst = 0; burst < 3; ++burst) begins.push_back(soundOf(rate, 0, burst * interval).size());
  for (size_t sample = 0, burst = 0; sample < sound.size(); ++sample) {
    if (burst + 1 < begins.size() && sample == begins[burst + 1]) ++burst;
    const size_t sinceBurst = sample - begins[burst];
    const double expected = sinceBurst < 1920 ? sineAt(sinceBurst) : 0;
    ASSERT_NEAR(sound[sample], expected, 1e-6) << sample;
  }
}

TEST_P(ToneTest, aSlotSoundsTheSameWhateverWasAskedBefore) {
  const auto [rate, interval] = GetParam();
  Tone tone(rate);
  for (const uint64_t slot : {interval, interval + 1, 5 * interval - 1, uint64_t{0}, interval}) {
    const std::span<const float> samples = tone.samplesOf(slot);
    EXPECT_EQ(std::vector<float>(samples.begin(), samples.end()), soundOf(rate, slot, 1)) << slot;
  }
}

INSTANTIATE_TEST_SUITE_P(Rates, ToneTest,
                         testing::Values(Case{{60, 1}, 60}, Case{{60'000, 1001}, 60},
                                         Case{{30'000, 1001}, 30}, Case{{24'000, 1001}, 24},
                                         Case{{25, 1}, 25}, Case{{240, 1}, 240}, Case{{1000, 1}, 1000},
                                         Case{{5, 2}, 3}, Case{{1, 1}, 1}),
                         [](const auto& testing) {
                           return std::to_string(testing.param.rate.numerator) + "over" +
                                  std::to_string(testing.param.rate.denominator);
                         });

TEST(Tone, countsInFrameNumbersWhichWrap) {
  constexpr uint64_t kWrap = 0x1'0000'0000;
  // 2³² is no multiple of 60: the last burst before it comes 16 frames earlier.
  const std::vector<float> sound = soundOf({60, 1}, kWrap - 17, 18);
  EXPECT_EQ(sound.size(), 18u * 800);
  for (size_t sample = 0; sample < sound.size(); ++sample) {
    const bool isLast = sample >= 17 * 800;
    const bool isBefore = sample >= 800 && sample < 800 + 1920;
    const double expected = isLast ? sineAt(sample - 17 * 800) : isBefore ? sineAt(sample - 800) : 0;
    ASSERT_NEAR(sound[sample], expected, 1e-6) << sample;
  }
}

TEST(Tone, fitsFromOneFrameInASecondOn) {
  EXPECT_TRUE(fitsSound({1, 1}));
  EXPECT_FALSE(fitsSound({999, 1000}));
}

}  // namespace
}  // namespace whiteline::test
