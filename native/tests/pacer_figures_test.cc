#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "native/helpers/pacer/clock_offset.h"
#include "native/helpers/pacer/interval_figures.h"
#include "native/helpers/pacer/schedule_figures.h"
#include "native/helpers/pacer/sequence_ledger.h"
#include "native/helpers/pacer/undisturbed.h"

namespace whiteline::pacer {
namespace {

constexpr int64_t kNominalNs = 125'000;

IntervalFigures figuresOf(const std::vector<int64_t>& intervalsNs) {
  IntervalFigures figures(kNominalNs);
  for (const int64_t intervalNs : intervalsNs) figures.add(intervalNs);
  return figures;
}

TEST(PacerIntervals, AreExact) {
  const IntervalFigures figures = figuresOf({125'000, 124'960, 125'048, 124'992, 125'003});
  EXPECT_EQ(figures.count(), 5u);
  EXPECT_EQ(figures.minNs(), 124'960);
  EXPECT_EQ(figures.maxNs(), 125'048);
  EXPECT_DOUBLE_EQ(figures.meanNs(), 125'000.6);
  // Σ(x − 125000.6)² = 3975.2.
  EXPECT_DOUBLE_EQ(figures.standardDeviationNs(), std::sqrt(3975.2 / 4));
  EXPECT_EQ(figures.quantileNs(0.5), 125'000);
  EXPECT_EQ(figures.quantileNs(0.25), 124'992);
  EXPECT_EQ(figures.quantileNs(0.75), 125'003);
  EXPECT_EQ(figures.quantileNs(0), 124'960);
  EXPECT_EQ(figures.quantileNs(1), 125'048);
}

TEST(PacerIntervals, HaveNoSpreadOfOne) {
  EXPECT_TRUE(std::isnan(figuresOf({kNominalNs}).standardDeviationNs()));
  EXPECT_TRUE(std::isnan(figuresOf({}).meanNs()));
}

TEST(PacerIntervals, KeepADeviationOfNanosecondsBesideOnesOfSeconds) {
  IntervalFigures figures(kNominalNs);
  const int64_t intervals = 2'400'000;
  for (int64_t index = 0; index < intervals; ++index) figures.add(kNominalNs + (index % 2 == 0 ? 18 : -18));
  EXPECT_DOUBLE_EQ(figures.meanNs(), kNominalNs);
  EXPECT_NEAR(figures.standardDeviationNs(), 18, 1e-5);
  figures.add(3'000'000'000);
  EXPECT_EQ(figures.maxNs(), 3'000'000'000);
  EXPECT_EQ(figures.quantileNs(0.9999), kNominalNs + 18);
}

TEST(PacerIntervals, KnowEachNanosecondNearTheNominalOneAndAShareOfTheDistanceBeyond) {
  for (const int64_t deviationNs : {0, 1, -1, 131'071, -131'071}) {
    DeviationHistogram histogram;
    histogram.add(deviationNs);
    EXPECT_EQ(histogram.quantile(0.5), deviationNs);
  }
  for (int64_t deviationNs = 131'072; deviationNs < int64_t{60'000'000'000}; deviationNs += deviationNs / 7) {
    for (const int64_t signedNs : {deviationNs, -deviationNs}) {
      DeviationHistogram histogram;
      histogram.add(signedNs);
      const double errorNs = std::abs(static_cast<double>(histogram.quantile(0.5) - signedNs));
      EXPECT_LE(errorNs, static_cast<double>(deviationNs) / 16384) << signedNs;
    }
  }
}

TEST(PacerIntervals, HoldTheGapsOfDays) {
  // A day at 8,000 a second, with a gap of half of it: n · Σd² has no room in 128 bits.
  IntervalFigures figures(kNominalNs);
  const int64_t halfDayNs = int64_t{43'200} * 1'000'000'000;
  for (int index = 0; index < 1'000'000; ++index) figures.add(kNominalNs);
  for (int index = 0; index < 1000; ++index) figures.add(kNominalNs + halfDayNs);
  const double share = 1000.0 / 1'001'000;
  const double expectedNs = static_cast<double>(halfDayNs) * std::sqrt(share * (1 - share));
  EXPECT_NEAR(figures.standardDeviationNs() / expectedNs, 1, 1e-6);
}

TEST(PacerIntervals, TakeAnyLength) {
  DeviationHistogram histogram;
  histogram.add(std::numeric_limits<int64_t>::max());
  histogram.add(std::numeric_limits<int64_t>::min());
  EXPECT_EQ(histogram.count(), 2u);
  EXPECT_LT(histogram.quantile(0), -68'000'000'000);
  EXPECT_GT(histogram.quantile(1), 68'000'000'000);
}

TEST(PacerIntervals, AreCountedInTheBinsOfTheConsole) {
  const IntervalFigures::TimeBins bins = figuresOf({-5, 900, 1000, 1047, 1048, 125'000, 125'000}).timeBins();
  EXPECT_EQ(bins.firstBin, 0u);
  // log10(125) · 50 = 104.8
  ASSERT_EQ(bins.counts.size(), 105u);
  EXPECT_EQ(bins.counts[0], 4u);
  EXPECT_EQ(bins.counts[1], 1u);
  EXPECT_EQ(bins.counts[104], 2u);
}

SequenceLedger ledgerOf(const std::vector<int64_t>& indexes, std::optional<int64_t> first = 0) {
  SequenceLedger ledger(first);
  for (const int64_t index : indexes) ledger.add(index);
  return ledger;
}

TEST(PacerSequence, OfPacketsInOrderNoneIsMissing) {
  const SequenceLedger ledger = ledgerOf({0, 1, 2, 3});
  EXPECT_EQ(ledger.received(), 4u);
  EXPECT_EQ(ledger.lost() + ledger.duplicated() + ledger.reordered(), 0u);
}

TEST(PacerSequence, CountsEachIrregularityAtItsPlace) {
  // 2 and 3 lost, 5 twice, 7 and 8 swapped, 0 lost, the last two lost.
  SequenceLedger ledger = ledgerOf({1, 4, 5, 5, 6, 8, 7, 9});
  ledger.expectUpTo(12);
  EXPECT_EQ(ledger.received(), 7u);
  EXPECT_EQ(ledger.lost(), 5u);
  EXPECT_EQ(ledger.lostRanges(), (std::vector<PacketRange>{{0, 0}, {2, 3}, {10, 11}}));
  EXPECT_EQ(ledger.duplicates(), std::vector<int64_t>{5});
  EXPECT_EQ(ledger.latecomers(), std::vector<int64_t>{7});
}

TEST(PacerSequence, WhatWasTakenForLostMayComeYet) {
  SequenceLedger ledger = ledgerOf({0, 9, 5});
  EXPECT_EQ(ledger.lost(), 7u);
  EXPECT_EQ(ledger.lostRanges(), (std::vector<PacketRange>{{1, 4}, {6, 8}}));
  for (const int64_t index : {1, 8, 2, 3, 4, 7}) ledger.add(index);
  EXPECT_EQ(ledger.lostRanges(), (std::vector<PacketRange>{{6, 6}}));
  ledger.add(6);
  EXPECT_TRUE(ledger.lostRanges().empty());
  EXPECT_EQ(ledger.lost(), 0u);
  EXPECT_EQ(ledger.reordered(), 8u);
  ledger.add(6);
  EXPECT_EQ(ledger.duplicated(), 1u);
}

TEST(PacerSequence, BeginsWithAnyPacketOfAnother) {
  const SequenceLedger ledger = ledgerOf({300, 302, 299, 303}, std::nullopt);
  EXPECT_EQ(ledger.lostRanges(), (std::vector<PacketRange>{{301, 301}}));
  EXPECT_EQ(ledger.lost(), 1u);
  EXPECT_EQ(ledger.reordered(), 1u);
}

TEST(PacerSequence, KnowsALatecomerFromADuplicateHoweverOldItIs) {
  SequenceLedger ledger = ledgerOf({0, 1, 200'001});
  EXPECT_EQ(ledger.lost(), 199'999u);
  ledger.add(65'537);
  EXPECT_EQ(ledger.lost(), 199'998u);
  EXPECT_EQ(ledger.duplicated(), 0u);
  ledger.add(65'537);
  EXPECT_EQ(ledger.duplicated(), 1u);
  EXPECT_EQ(ledger.lost(), 199'998u);
}

TEST(PacerSequence, ADuplicateOfLongAgoIsNoPacketThatWasLost) {
  SequenceLedger ledger(0);
  for (int64_t index = 0; index <= 65'536; ++index) ledger.add(index);
  EXPECT_EQ(ledger.add(0), SequenceLedger::Arrival::Duplicated);
  EXPECT_EQ(ledger.lost(), 0u);
  EXPECT_EQ(ledger.duplicated(), 1u);
  EXPECT_EQ(ledger.received(), 65'537u);
}

TEST(PacerSequence, CountsWhatIsMissingBeforeTheFirstThatCame) {
  SequenceLedger ledger = ledgerOf({300, 297}, std::nullopt);
  EXPECT_EQ(ledger.lost(), 2u);
  EXPECT_EQ(ledger.lostRanges(), (std::vector<PacketRange>{{298, 299}}));
  ledger.add(298);
  EXPECT_EQ(ledger.lost(), 1u);
  ledger.add(298);
  EXPECT_EQ(ledger.duplicated(), 1u);
  EXPECT_EQ(ledger.lost(), 1u);
}

AafPacket packetOf(int64_t index, int64_t firstPresentationNs) {
  AafPacket packet;
  packet.sequence = static_cast<uint8_t>(index);
  packet.timestampNs = static_cast<uint32_t>(firstPresentationNs + index * kNominalNs);
  return packet;
}

TEST(PacerSequence, KnowsPacketsOfOurOwnAfterAnyGap) {
  const int64_t firstNs = 987'654'321'123;
  const OwnNumbers numbers(firstNs, kNominalNs);
  for (const int64_t highest : {int64_t{-1}, int64_t{0}, int64_t{1'000'000}}) {
    for (const int64_t ahead : {1, 2, -2, 255, 256, 257, 17'000, 40'000, 400'000, 8'000'000}) {
      const int64_t index = highest + ahead;
      const auto found = numbers.of(packetOf(index, firstNs), highest);
      if (index < 0) continue;
      EXPECT_EQ(found, index);
    }
  }
}

TEST(PacerSequence, RefusesNumbersThatContradictThePresentationTime) {
  const OwnNumbers numbers(5'000, kNominalNs);
  AafPacket packet = packetOf(10, 5'000);
  packet.sequence = 11;
  EXPECT_EQ(numbers.of(packet, 9), std::nullopt);
  packet = packetOf(10, 5'001);
  EXPECT_EQ(numbers.of(packet, 9), std::nullopt);
  packet.timestampNs.reset();
  EXPECT_EQ(numbers.of(packet, 9), std::nullopt);
}

TEST(PacerSequence, TakesTheNearestNumberOfAForeignPacket) {
  EXPECT_EQ(nearestNumber(0, 255), 256);
  EXPECT_EQ(nearestNumber(254, 256), 254);
  EXPECT_EQ(nearestNumber(5, 1024), 1029);
  EXPECT_EQ(nearestNumber(255, 0), -1);
}

TEST(PacerSchedule, CountsWhatIsLateAndItsLongestRun) {
  ScheduleFigures figures({.startNs = 1000, .intervalNs = 100, .toleranceNs = 50, .presentationNs = 250});
  const std::vector<int64_t> errorsNs = {0, 51, 60, -5, 50, 300, 52, 51, 250, 0};
  for (size_t index = 0; index < errorsNs.size(); ++index) {
    figures.add(static_cast<int64_t>(index), 1000 + 100 * static_cast<int64_t>(index) + errorsNs[index]);
  }
  EXPECT_EQ(figures.late(), 6u);
  EXPECT_EQ(figures.longestRun(), 4u);
  EXPECT_EQ(figures.tooLateToPresent(), 1u);
  EXPECT_EQ(figures.earliestNs(), -5);
  EXPECT_EQ(figures.latestNs(), 300);
  EXPECT_EQ(figures.timeIntervalErrorNs(), 305);
  ASSERT_EQ(figures.latest().size(), 6u);
  EXPECT_EQ(figures.latest()[0], (ScheduleFigures::Late{5, 300}));
  EXPECT_EQ(figures.latest()[1], (ScheduleFigures::Late{8, 250}));
}

TEST(PacerSchedule, CountsWhatIsEarlyFromBeyondTheToleranceOn) {
  ScheduleFigures figures({.startNs = 1000, .intervalNs = 100, .toleranceNs = 50, .presentationNs = 250});
  const std::vector<int64_t> errorsNs = {-51, -50, -49, 0, 51, -400, -60};
  for (size_t index = 0; index < errorsNs.size(); ++index) {
    figures.add(static_cast<int64_t>(index), 1000 + 100 * static_cast<int64_t>(index) + errorsNs[index]);
  }
  EXPECT_EQ(figures.early(), 3u);
  EXPECT_EQ(figures.late(), 1u);
  EXPECT_EQ(figures.earliestNs(), -400);
}

TEST(PacerSchedule, HasNoPacketEarlyThatADelayOfAllHoldsUp) {
  ScheduleFigures figures({.startNs = 0, .intervalNs = 100, .toleranceNs = 100, .presentationNs = 2000});
  // The first is held up most: the others come before where it would have them.
  for (int64_t index = 0; index < 1000; ++index) figures.add(index, 100 * index + (index == 0 ? 900 : 80));
  EXPECT_EQ(figures.early(), 0u);
  EXPECT_EQ(figures.late(), 1u);
}

TEST(PacerSchedule, KeepsTheLatestOfMany) {
  ScheduleFigures figures({.startNs = 0, .intervalNs = 10, .toleranceNs = 0, .presentationNs = 1000});
  for (int64_t index = 0; index < 1000; ++index) figures.add(index, 10 * index + (index * 7919) % 1000);
  ASSERT_EQ(figures.latest().size(), 16u);
  EXPECT_EQ(figures.latest().front().byNs, 999);
  EXPECT_EQ(figures.latest().back().byNs, 984);
}

TEST(PacerUndisturbed, LeavesOutWhatAWindowTouches) {
  UndisturbedIntervals undisturbed(100);
  // Packets every 100 ns; the one due at 500 came at 580, held from 490 to 575.
  const std::vector<int64_t> stamps = {0, 100, 200, 300, 400, 580, 600, 700, 800, 900};
  for (size_t index = 1; index < stamps.size(); ++index) undisturbed.add(stamps[index - 1], stamps[index]);
  undisturbed.exclude({490, 575});
  undisturbed.settle(2000);
  EXPECT_EQ(undisturbed.excluded(), 4u);
  EXPECT_EQ(undisturbed.figures().count(), 5u);
  EXPECT_EQ(undisturbed.figures().minNs(), 100);
  EXPECT_EQ(undisturbed.figures().maxNs(), 100);
}

TEST(PacerUndisturbed, WaitsUntilWindowsAreKnown) {
  UndisturbedIntervals undisturbed(100);
  undisturbed.add(0, 100);
  undisturbed.add(100, 250);
  undisturbed.settle(201);
  EXPECT_EQ(undisturbed.figures().count(), 1u);
  // A window that begins up to one nominal interval later may still touch it.
  undisturbed.settle(350);
  EXPECT_EQ(undisturbed.figures().count(), 1u);
  undisturbed.exclude({240, 245});
  undisturbed.settle(1000);
  EXPECT_EQ(undisturbed.figures().count(), 1u);
  EXPECT_EQ(undisturbed.excluded(), 1u);
}

TEST(PacerUndisturbed, TakesWindowsInAnyOrder) {
  UndisturbedIntervals undisturbed(100);
  for (int64_t index = 0; index < 40; ++index) undisturbed.add(100 * index, 100 * index + 100);
  // A hold of the sender is known before the longer one of the hypervisor that began earlier.
  undisturbed.exclude({2050, 2060});
  undisturbed.settle(1000);
  undisturbed.exclude({1050, 2550});
  undisturbed.exclude({2950, 2960});
  undisturbed.settle(10'000);
  // Those that touch 950 to 2650, and 2850 to 3060.
  EXPECT_EQ(undisturbed.excluded(), 18u + 3u);
  EXPECT_EQ(undisturbed.figures().count(), 19u);
}

TEST(PacerUndisturbed, SaysWhatCouldNotWait) {
  UndisturbedIntervals undisturbed(100);
  for (int64_t index = 0; index < 300'000; ++index) undisturbed.add(100 * index, 100 * index + 100);
  EXPECT_EQ(undisturbed.dropped(), 300'000u - (1u << 18));
}

TEST(PacerClockOffset, KeepsTheDistancesOfStamps) {
  ClockOffset offset;
  offset.add({1000, 501'004, 1010});
  const int64_t before = offset.monotonicNs(501'000).value();
  for (int64_t index = 1; index < 50; ++index) {
    offset.add({1000 + 100 * index, 501'005 + 100 * index, 1010 + 100 * index});
  }
  EXPECT_EQ(offset.monotonicNs(501'000), before);
  EXPECT_LE(offset.uncertaintyNs(), 10);
  EXPECT_EQ(offset.steps(), 0u);
  EXPECT_NEAR(static_cast<double>(offset.monotonicNs(501'004).value()), 1005, 10);
}

TEST(PacerClockOffset, AStepOfTheWallClockDoesNotEnter) {
  ClockOffset offset;
  offset.add({1'000'000, 9'000'005, 1'000'010});
  const int64_t distanceNs = 9'000'000 - offset.monotonicNs(9'000'000).value();
  // Set back by an hour in nanoseconds, between two readings.
  const int64_t hourNs = 3'600'000'000'000;
  offset.add({2'000'000, 10'000'005 - hourNs, 2'000'010});
  EXPECT_EQ(offset.steps(), 1u);
  EXPECT_EQ(offset.monotonicNs(9'400'000), 9'400'000 - distanceNs);
  EXPECT_EQ(offset.monotonicNs(9'600'000 - hourNs), 9'600'000 - distanceNs);
  offset.add({3'000'000, 11'000'005 - hourNs, 3'000'010});
  EXPECT_EQ(offset.steps(), 1u);
  EXPECT_EQ(offset.monotonicNs(10'500'000 - hourNs), 10'500'000 - distanceNs);
}

TEST(PacerClockOffset, IsAStepOnlyWhereNoDistanceFitsBothReadings) {
  // The distance lies between 490 and 500; then at 500, and then at 501 or beyond.
  ClockOffset offset;
  offset.add({1000, 1500, 1010});
  offset.add({2000, 2510, 2010});
  EXPECT_EQ(offset.steps(), 0u);
  EXPECT_EQ(offset.monotonicNs(3500), 3000);
  offset.add({3000, 3511, 3010});
  EXPECT_EQ(offset.steps(), 1u);
}

TEST(PacerClockOffset, PlacesStampsFromTheReadingBeforeAStepToTheOneBehindIt) {
  constexpr int64_t kStepNs = 3'600'000'000'000;
  ClockOffset offset;
  offset.add({10'000, 10'000, 10'010});
  offset.add({20'000, 20'000 + kStepNs, 20'010});
  // Either distance is known to 10 ns, and 5 ns are in the middle.
  const auto before = [&](int64_t timeNs) { return offset.monotonicNs(timeNs - 5); };
  const auto behind = [&](int64_t timeNs) { return offset.monotonicNs(timeNs - 5 + kStepNs); };
  EXPECT_EQ(before(20'020), 20'020);
  EXPECT_EQ(before(20'021), std::nullopt);
  EXPECT_EQ(behind(9'990), 9'990);
  EXPECT_EQ(behind(9'989), std::nullopt);
}

TEST(PacerClockOffset, AStampThatWaitedOverAStepIsWhereItWas) {
  ClockOffset offset;
  const int64_t hourNs = 3'600'000'000'000;
  const int64_t distanceNs = 8'000'000;
  const auto readingAt = [&](int64_t atNs, int64_t setByNs) {
    offset.add({atNs, atNs + 5 + distanceNs + setByNs, atNs + 10});
  };
  readingAt(1'000'000, 0);
  readingAt(5'000'000, hourNs);
  // The packets of a stall come in several batches, each with a reading behind it.
  readingAt(5'100'000, hourNs);
  readingAt(5'200'000, hourNs);
  EXPECT_EQ(offset.steps(), 1u);
  EXPECT_EQ(offset.monotonicNs(2'000'000 + distanceNs), 2'000'000);
  EXPECT_EQ(offset.monotonicNs(3'000'000 + distanceNs + hourNs), 3'000'000);
  readingAt(9'000'000, -hourNs);
  EXPECT_EQ(offset.monotonicNs(2'000'000 + distanceNs), 2'000'000);
  EXPECT_EQ(offset.monotonicNs(6'000'000 + distanceNs + hourNs), 6'000'000);
  EXPECT_EQ(offset.monotonicNs(8'000'000 + distanceNs - hourNs), 8'000'000);
}

TEST(PacerClockOffset, AStampBetweenTwoStepsThatNoReadingSawIsNotPlaced) {
  ClockOffset offset;
  offset.add({1'000'000, 1'000'005, 1'000'010});
  offset.add({3'000'000, 3'000'005 + 60'000'000'000, 3'000'010});
  EXPECT_EQ(offset.monotonicNs(2'000'000 + 30'000'000'000), std::nullopt);
}

}  // namespace
}  // namespace whiteline::pacer
