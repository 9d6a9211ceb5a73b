#include "native/media/pipeline/sound_records.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <span>
#include <vector>

#include "native/media/audio/tone.h"

namespace whiteline::test {
namespace {

constexpr int kRate = 48000;

/** Plays sound block by block, and keeps what is written down. */
class Player {
 public:
  void play(const std::vector<float>& samples, std::optional<FrameLabel> label = {}, int rate = kRate) {
    sound_.add({samples.data(), static_cast<int>(samples.size()), rate, label}, ++blocks_);
  }
  void playTone(size_t from, size_t count, size_t before = 0) {
    std::vector<float> samples(before);
    for (size_t index = from; index < from + count; ++index) {
      samples.push_back(static_cast<float>(
          0.1 * std::sin(2 * std::numbers::pi * 1000 * static_cast<double>(index) / kRate)));
    }
    play(samples);
  }
  SoundRecords& sound() { return sound_; }
  std::vector<AudioRecord> records() {
    std::vector<AudioRecord> records;
    ring_.drain([&](const AudioRecord& record) { records.push_back(record); });
    return records;
  }

 private:
  RecordRing<AudioRecord> ring_{4096};
  SoundRecords sound_{ring_};
  int64_t blocks_ = 0;
};

const std::vector<float> kSilence(1600);

TEST(SoundRecords, tellNumberSizeAndRateOfEachBlock) {
  Player player;
  player.play(kSilence, FrameLabel{3, 41});
  player.play(std::vector<float>(1601), FrameLabel{3, 42});
  player.play(std::vector<float>(441), std::nullopt, 44100);
  const std::vector<AudioRecord> records = player.records();
  ASSERT_EQ(records.size(), 3u);
  EXPECT_EQ(records[0].captureNs, 1);
  EXPECT_EQ(records[0].frameNumber, 41);
  EXPECT_EQ(records[0].samples, 1600u);
  EXPECT_EQ(records[1].frameNumber, 42);
  EXPECT_EQ(records[1].samples, 1601u);
  EXPECT_EQ(records[2].frameNumber, -1);
  EXPECT_EQ(records[2].sampleRate, 44100u);
  for (const AudioRecord& record : records) EXPECT_EQ(record.burstSample, -1);
}

TEST(SoundRecords, markTheBlockInWhichABurstBegins) {
  Player player;
  player.play(kSilence);
  player.playTone(0, 1600);
  player.playTone(1600, 320);
  player.play(kSilence);
  player.playTone(0, 1000, 600);
  const std::vector<AudioRecord> records = player.records();
  ASSERT_EQ(records.size(), 5u);
  EXPECT_EQ(records[0].burstSample, -1);
  EXPECT_EQ(records[1].burstSample, 0);
  EXPECT_EQ(records[2].burstSample, -1);
  EXPECT_EQ(records[3].burstSample, -1);
  EXPECT_EQ(records[4].burstSample, 600);
}

TEST(SoundRecords, ofTwoBurstsInABlockTheFirstCounts) {
  Player player;
  const auto addTo = [](std::vector<float>& samples, size_t at) {
    for (size_t index = 0; index < 1000; ++index) {
      samples[at + index] = static_cast<float>(
          0.1 * std::sin(2 * std::numbers::pi * 1000 * static_cast<double>(index) / kRate));
    }
  };
  std::vector<float> samples(8000);
  addTo(samples, 1200);
  addTo(samples, 5000);
  player.play(samples);
  player.play(kSilence);
  const std::vector<AudioRecord> records = player.records();
  ASSERT_EQ(records.size(), 2u);
  EXPECT_EQ(records[0].burstSample, 1200);
  EXPECT_EQ(records[1].burstSample, -1);
}

TEST(SoundRecords, aBlockWaitsUntilItIsCertainWhetherABurstBegan) {
  Player player;
  player.playTone(0, 30, 1570);
  EXPECT_TRUE(player.records().empty());
  player.playTone(30, 100);
  EXPECT_TRUE(player.records().empty());
  player.playTone(130, 1000);
  const std::vector<AudioRecord> records = player.records();
  ASSERT_EQ(records.size(), 3u);
  EXPECT_EQ(records[0].burstSample, 1570);
  EXPECT_EQ(records[0].captureNs, 1);
  EXPECT_EQ(records[1].burstSample, -1);
  EXPECT_EQ(records[2].burstSample, -1);
}

TEST(SoundRecords, nothingThatWaitsIsLost) {
  Player player;
  player.playTone(0, 30, 1570);
  player.sound().flush();
  ASSERT_EQ(player.records().size(), 1u);
  player.play(kSilence);
  player.playTone(0, 30, 1570);
  player.play(std::vector<float>(441), std::nullopt, 44100);
  EXPECT_EQ(player.records().size(), 3u);
}

TEST(SoundRecords, tinyBlocksAllArriveInOrder) {
  Player player;
  player.play(kSilence);
  for (size_t sample = 0; sample < 1000; ++sample) player.playTone(sample, 1);
  player.sound().flush();
  const std::vector<AudioRecord> records = player.records();
  ASSERT_EQ(records.size(), 1001u);
  for (size_t index = 0; index < records.size(); ++index) {
    EXPECT_EQ(records[index].captureNs, static_cast<int64_t>(index) + 1);
  }
}

TEST(SoundRecords, findEveryBurstThatASenderMakes) {
  for (const Rate rate : {Rate{24000, 1001}, Rate{25, 1}, Rate{30000, 1001}, Rate{50, 1}, Rate{60000, 1001},
                          Rate{60, 1}, Rate{240, 1}}) {
    const uint32_t interval = (rate.numerator + rate.denominator / 2) / rate.denominator;
    Player player;
    Tone tone(rate);
    const uint32_t first = interval - 10, count = 5 * interval;
    for (uint32_t slot = first; slot < first + count; ++slot) {
      const std::span<const float> samples = tone.samplesOf(slot);
      player.play({samples.begin(), samples.end()}, FrameLabel{3, static_cast<uint32_t>(slot)});
    }
    player.sound().flush();
    const std::vector<AudioRecord> records = player.records();
    ASSERT_EQ(records.size(), count);
    for (const AudioRecord& record : records) {
      EXPECT_EQ(record.burstSample, record.frameNumber % interval == 0 ? 0 : -1)
          << "frame " << record.frameNumber << " at " << rate.numerator << "/" << rate.denominator;
    }
  }
}

TEST(SoundRecords, takeWhateverComes) {
  Player player;
  SoundRecords& sound = player.sound();
  sound.add({nullptr, 1600, kRate, std::nullopt}, 1);
  sound.add({nullptr, -5, -48000, std::nullopt}, 2);
  sound.add({kSilence.data(), -1, kRate, std::nullopt}, 3);
  sound.add({kSilence.data(), 0, 0, std::nullopt}, 4);
  sound.add({kSilence.data(), 1600, 1'000'000'000, std::nullopt}, 5);
  const std::vector<AudioRecord> records = player.records();
  ASSERT_EQ(records.size(), 5u);
  EXPECT_EQ(records[0].samples, 1600u);
  EXPECT_EQ(records[1].samples, 0u);
  EXPECT_EQ(records[1].sampleRate, 0u);
  for (const AudioRecord& record : records) {
    EXPECT_EQ(record.burstSample, -1);
    EXPECT_EQ(record.frameNumber, -1);
  }
}

}  // namespace
}  // namespace whiteline::test
