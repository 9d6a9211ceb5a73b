#include "native/media/audio/burst_detector.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <random>
#include <vector>

namespace whiteline::test {
namespace {

constexpr uint32_t kRate = 48000;
constexpr double kAmplitude = 0.1;

/** Silence with bursts of 40 ms at the given samples. */
std::vector<float> soundWith(const std::vector<int64_t>& bursts, size_t samples, uint32_t rate = kRate,
                             double amplitude = kAmplitude, double seconds = 0.040) {
  std::vector<float> sound(samples);
  for (const int64_t begin : bursts) {
    const auto length = static_cast<int64_t>(seconds * rate);
    for (int64_t index = 0; index < length && begin + index < static_cast<int64_t>(samples); ++index) {
      sound[static_cast<size_t>(begin + index)] = static_cast<float>(
          amplitude * std::sin(2 * std::numbers::pi * 1000 * static_cast<double>(index) / rate));
    }
  }
  return sound;
}

/** Hears the sound in blocks of the given size. */
std::vector<int64_t> onsetsIn(const std::vector<float>& sound, size_t blockSize, uint32_t rate = kRate) {
  BurstDetector detector(rate);
  std::vector<int64_t> onsets;
  int64_t settled = 0;
  for (size_t begin = 0; begin < sound.size(); begin += blockSize) {
    const size_t count = std::min(blockSize, sound.size() - begin);
    for (const int64_t onset : detector.hear(std::span(sound).subspan(begin, count))) {
      EXPECT_GE(onset, settled) << "it was said that none would come there";
      onsets.push_back(onset);
    }
    EXPECT_GE(detector.settled(), settled);
    settled = detector.settled();
  }
  return onsets;
}

void expectNear(const std::vector<int64_t>& found, const std::vector<int64_t>& expected, int64_t tolerance) {
  ASSERT_EQ(found.size(), expected.size());
  for (size_t index = 0; index < found.size(); ++index) {
    EXPECT_NEAR(static_cast<double>(found[index]), static_cast<double>(expected[index]),
                static_cast<double>(tolerance));
  }
}

TEST(BurstDetector, findsTheFirstSampleOfACleanTone) {
  const std::vector<int64_t> bursts = {4800, 48000, 96000, 144001};
  EXPECT_EQ(onsetsIn(soundWith(bursts, 200'000), 800), bursts);
}

TEST(BurstDetector, atAnyRateAndWhereverItLiesInABlock) {
  for (const uint32_t rate : {8000u, 16000u, 22050u, 44100u, 48000u, 96000u, 192000u}) {
    for (int64_t begin = rate / 2; begin < rate / 2 + 130; begin += 13) {
      expectNear(onsetsIn(soundWith({begin}, rate, rate), 128, rate), {begin}, 1);
    }
  }
}

TEST(BurstDetector, findsTheSameWhateverTheBlocks) {
  const std::vector<int64_t> bursts = {2000, 50'000, 98'003};
  const std::vector<float> sound = soundWith(bursts, 120'000);
  for (const size_t blockSize : {size_t{1}, size_t{7}, size_t{191}, size_t{1601}, sound.size()}) {
    expectNear(onsetsIn(sound, blockSize), bursts, 1);
  }
}

TEST(BurstDetector, withinTwoSamplesAmongNoise) {
  std::mt19937 random(7);
  std::uniform_real_distribution<float> noise(-0.004F, 0.004F);
  std::vector<int64_t> bursts;
  for (int64_t second = 1; second < 60; ++second) bursts.push_back(second * kRate + second * 13);
  std::vector<float> sound = soundWith(bursts, 60 * kRate);
  for (float& sample : sound) sample += noise(random);
  expectNear(onsetsIn(sound, 1601), bursts, 2);
}

TEST(BurstDetector, neverBeforeTheBlockInWhichItIsLoudFirst) {
  // A rise that noise makes too early would move the burst of a block's first sample into the block before.
  std::vector<float> sound = soundWith({4800}, 9600);
  sound[4800] = 0.012F;
  BurstDetector detector(kRate);
  EXPECT_TRUE(detector.hear(std::span(sound).first(4800)).empty());
  EXPECT_EQ(detector.hear(std::span(sound).subspan(4800)), std::vector<int64_t>{4800});
}

TEST(BurstDetector, levelsFarFromTheBurstsAreNone) {
  for (const double amplitude : {0.011, 0.04, 0.25, 1.0}) {
    EXPECT_TRUE(onsetsIn(soundWith({10'000}, 30'000, kRate, amplitude), 800).empty()) << amplitude;
  }
  for (const double amplitude : {0.06, 0.19}) {
    EXPECT_EQ(onsetsIn(soundWith({10'000}, 30'000, kRate, amplitude), 800).size(), 1u) << amplitude;
  }
}

TEST(BurstDetector, aSteadyToneAndItsGapsAreNone) {
  std::vector<float> steady = soundWith({0}, 5 * kRate, kRate, kAmplitude, 5);
  EXPECT_TRUE(onsetsIn(steady, 800).empty());
  // Gaps shorter than silence.
  for (size_t begin = 10'000; begin < steady.size(); begin += 10'000) {
    std::fill_n(steady.begin() + static_cast<ptrdiff_t>(begin), 900, 0.0F);
  }
  EXPECT_TRUE(onsetsIn(steady, 800).empty());
}

TEST(BurstDetector, otherSoundsAfterSilenceAreNone) {
  std::mt19937 random(3);
  std::uniform_real_distribution<float> noise(-0.17F, 0.17F);
  const auto heardAfterSilence = [&](auto sampleAt) {
    std::vector<float> sound(20 * 4800);
    for (size_t index = 0; index < sound.size(); ++index) {
      if (index % 9600 >= 4800)
        sound[index] = static_cast<float>(sampleAt(static_cast<double>(index % 9600 - 4800)));
    }
    return onsetsIn(sound, 800).size();
  };
  const auto toneOf = [](double hertz, double phase) {
    return [=](double sample) {
      return kAmplitude * std::sin(2 * std::numbers::pi * hertz * sample / kRate + phase);
    };
  };
  EXPECT_EQ(heardAfterSilence(toneOf(1000, 0)), 10u);
  EXPECT_EQ(heardAfterSilence(toneOf(600, 0)), 0u);
  EXPECT_EQ(heardAfterSilence(toneOf(1400, 0)), 0u);
  for (const double phase : {-0.6, 0.7, 1.0}) {
    EXPECT_EQ(heardAfterSilence(toneOf(1000, phase * std::numbers::pi)), 0u) << phase;
  }
  EXPECT_EQ(
      heardAfterSilence([&](double sample) { return toneOf(1000, 0)(sample) + toneOf(3000, 0)(sample) / 2; }),
      0u);
  EXPECT_EQ(heardAfterSilence([&](double) { return noise(random); }), 0u);
  EXPECT_EQ(heardAfterSilence([](double) { return 0.1; }), 0u);
  EXPECT_EQ(heardAfterSilence([](double sample) { return sample == 0 ? 0.1 : 0; }), 0u);
}

TEST(BurstDetector, whatIsNoNumberDoesNoHarm) {
  std::vector<float> sound = soundWith({10'000, 60'000}, 80'000);
  sound[10'050] = std::numeric_limits<float>::quiet_NaN();
  sound[30'000] = std::numeric_limits<float>::infinity();
  EXPECT_EQ(onsetsIn(sound, 800), std::vector<int64_t>{60'000});
}

TEST(BurstDetector, aRateThatCannotCarryTheToneGivesNothing) {
  for (const uint32_t rate : {0u, 1u, 1000u, 7999u}) {
    EXPECT_TRUE(onsetsIn(soundWith({10'000}, 30'000), 800, rate).empty());
  }
}

}  // namespace
}  // namespace whiteline::test
