#include <gtest/gtest.h>

#include <cstdint>
#include <random>
#include <set>
#include <vector>

#include "native/helpers/fanout/sample.h"
#include "native/helpers/fanout/sample_ledger.h"
#include "native/helpers/fanout/subscriber_figures.h"

namespace whiteline::fanout {
namespace {

std::vector<uint64_t> numbersIn(std::span<const uint8_t> payload, size_t sampleBytes, uint64_t& damaged) {
  std::vector<uint64_t> numbers;
  damaged = forEachSample(payload, sampleBytes,
                          [&](const SampleHeader& header) { numbers.push_back(header.number); });
  return numbers;
}

TEST(FanoutSample, HasItsHeaderAtBothEnds) {
  std::vector<uint8_t> sample(100);
  const SampleHeader header{.target = 7, .number = 0x0123456789abcdef};
  writeHeaders(sample, header);
  EXPECT_EQ(readHeaders(sample), header);
  for (const size_t at : {0, 5, 15, 84, 99}) {
    std::vector<uint8_t> damaged = sample;
    damaged[at] ^= 1;
    EXPECT_FALSE(readHeaders(damaged)) << at;
  }
  EXPECT_FALSE(readHeaders(std::span(sample).first(kLeastSampleBytes - 1)));
}

TEST(FanoutSample, SharesAPayloadWhereSeveralFit) {
  EXPECT_EQ(samplesPerPayload(128, 8192), 64u);
  EXPECT_EQ(samplesPerPayload(1000, 8192), 8u);
  EXPECT_EQ(samplesPerPayload(8192, 8192), 1u);
  EXPECT_EQ(samplesPerPayload(63'000, 8192), 1u);
  EXPECT_EQ(samplesPerPayload(128, 0), 1u);
}

TEST(FanoutSample, IsFoundInItsBatch) {
  PayloadBuffer buffer(40, 3);
  uint64_t damaged = 0;
  EXPECT_EQ(numbersIn(buffer.fill(10, 3), 40, damaged), (std::vector<uint64_t>{10, 11, 12}));
  EXPECT_EQ(damaged, 0u);
  const std::span<const uint8_t> part = buffer.fill(13, 2);
  EXPECT_EQ(part.size(), 80u);
  EXPECT_EQ(numbersIn(part, 40, damaged), (std::vector<uint64_t>{13, 14}));
  std::vector<uint8_t> broken(part.begin(), part.end());
  broken[39] ^= 0x80;
  EXPECT_EQ(numbersIn(broken, 40, damaged), (std::vector<uint64_t>{14}));
  EXPECT_EQ(damaged, 1u);
  // Half a sample is a damaged one.
  EXPECT_EQ(numbersIn(part.first(60), 40, damaged), (std::vector<uint64_t>{13}));
  EXPECT_EQ(damaged, 1u);
}

SampleLedger ledgerOf(const std::vector<int64_t>& numbers, int64_t sent) {
  SampleLedger ledger;
  for (const int64_t number : numbers) ledger.add(number);
  ledger.expect(sent);
  return ledger;
}

TEST(FanoutLedger, FindsWhatIsLacking) {
  const SampleLedger ledger = ledgerOf({2, 3, 6, 7}, 10);
  EXPECT_EQ(ledger.received(), 4u);
  EXPECT_EQ(ledger.lost(), 6u);
  EXPECT_EQ(ledger.lostRanges(200), (std::vector<int64_t>{0, 1, 4, 5, 8, 9}));
  EXPECT_EQ(ledger.lostRanges(2), (std::vector<int64_t>{0, 1, 4, 5}));
}

TEST(FanoutLedger, TakesLatecomersOutOfTheirGap) {
  // In its middle, at its ends, and alone.
  const SampleLedger ledger = ledgerOf({6, 2, 0, 5, 1, 4, 4, 6, 8}, 9);
  EXPECT_EQ(ledger.received(), 7u);
  EXPECT_EQ(ledger.reordered(), 5u);
  EXPECT_EQ(ledger.duplicated(), 2u);
  EXPECT_EQ(ledger.lost(), 2u);
  EXPECT_EQ(ledger.lostRanges(200), (std::vector<int64_t>{3, 3, 7, 7}));
}

TEST(FanoutLedger, LacksAllOfWhatNeverCame) {
  const SampleLedger ledger = ledgerOf({}, 5);
  EXPECT_EQ(ledger.lost(), 5u);
  EXPECT_EQ(ledger.lostRanges(200), (std::vector<int64_t>{0, 4}));
  EXPECT_EQ(ledgerOf({0, 1}, 2).lostRanges(200), std::vector<int64_t>{});
}

TEST(FanoutLedger, ForgetsNothingThatCameBeyondWhatWasExpected) {
  SampleLedger ledger = ledgerOf({0, 1, 2, 3, 4}, 3);
  ledger.add(4);
  EXPECT_EQ(ledger.received(), 5u);
  EXPECT_EQ(ledger.duplicated(), 1u);
  EXPECT_EQ(ledger.lost(), 0u);
}

TEST(FanoutLedger, AgreesWithASimpleOneInAnyOrder) {
  std::mt19937 random(1);
  for (int round = 0; round < 200; ++round) {
    std::vector<int64_t> numbers(300);
    for (int64_t& number : numbers) number = std::uniform_int_distribution<int64_t>(0, 399)(random);
    const SampleLedger ledger = ledgerOf(numbers, 400);
    std::set<int64_t> seen;
    uint64_t reordered = 0, duplicated = 0;
    for (const int64_t number : numbers) {
      const bool isLate = !seen.empty() && number < *seen.rbegin();
      const bool isNew = seen.insert(number).second;
      reordered += isNew && isLate ? 1 : 0;
      duplicated += isNew ? 0 : 1;
    }
    EXPECT_EQ(ledger.received(), seen.size());
    EXPECT_EQ(ledger.lost(), 400 - seen.size());
    EXPECT_EQ(ledger.reordered(), reordered);
    EXPECT_EQ(ledger.duplicated(), duplicated);
    uint64_t inRanges = 0;
    const std::vector<int64_t> ranges = ledger.lostRanges(1000);
    for (size_t at = 0; at < ranges.size(); at += 2)
      inRanges += static_cast<uint64_t>(ranges[at + 1] - ranges[at] + 1);
    EXPECT_EQ(inRanges, ledger.lost());
  }
}

TEST(FanoutLedger, GivesUpTheOldestOfTooManyGaps) {
  SampleLedger ledger;
  constexpr int64_t kGaps = 65'540;
  for (int64_t gap = 0; gap < kGaps; ++gap) ledger.add(2 * gap + 1);
  EXPECT_EQ(ledger.lost(), static_cast<uint64_t>(kGaps));
  ledger.add(0);
  EXPECT_EQ(ledger.duplicated(), 1u);
  ledger.add(2 * kGaps - 2);
  EXPECT_EQ(ledger.reordered(), 1u);
  EXPECT_EQ(ledger.lost(), static_cast<uint64_t>(kGaps) - 1);
}

TEST(FanoutSubscriber, CountsNoDamagedSample) {
  PayloadBuffer buffer(64, 2);
  SubscriberFigures figures(64);
  EXPECT_EQ(figures.firstNs(), 0);
  figures.add(buffer.fill(0, 2), 1000);
  const std::span<const uint8_t> next = buffer.fill(2, 2);
  std::vector<uint8_t> broken(next.begin(), next.end());
  broken[0] = 0;
  figures.add(broken, 2000);
  figures.expect(4);
  EXPECT_EQ(figures.bytes(), 3u * 64);
  EXPECT_EQ(figures.damaged(), 1u);
  EXPECT_EQ(figures.ledger().lostRanges(9), (std::vector<int64_t>{2, 2}));
  EXPECT_EQ(figures.firstNs(), 1000);
  EXPECT_EQ(figures.lastNs(), 2000);
}

}  // namespace
}  // namespace whiteline::fanout
