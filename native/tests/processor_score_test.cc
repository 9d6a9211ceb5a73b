#include "native/base/processor/processor_score.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstdint>
#include <span>
#include <thread>
#include <vector>

#include "native/base/platform/thread_affinity.h"
#include "native/base/processor/reference_work.h"
#include "native/tests/pipeline_fakes.h"

namespace whiteline::test {
namespace {

using ScoreState = ProcessorScoreStatus::State;
constexpr ScoreWork kLittleWork{
    .integerSteps = 1000, .memoryBytes = size_t{1} << 16, .pieceBytes = size_t{1} << 14, .rounds = 9};

TEST(ReferenceWork, IntegerWorkIsTheSameOnEachMachine) {
  // From the definition, computed by other means.
  EXPECT_EQ(integerWork(0), 0u);
  EXPECT_EQ(integerWork(1), 0x7C17D1800457B1BAu);
  EXPECT_EQ(integerWork(2), 0xB036C52124305071u);
  EXPECT_EQ(integerWork(1000), 0x53A10FB2024369C5u);
  EXPECT_EQ(integerWork(100'000), 0x10B7B89C38CC3477u);
}

TEST(ReferenceWork, MemoryWorkCopiesAll) {
  std::array<uint8_t, 1000> from;
  std::array<uint8_t, 1000> to{};
  for (size_t index = 0; index < from.size(); ++index) from[index] = static_cast<uint8_t>(3 * index + 1);
  memoryWork(from, to);
  EXPECT_EQ(from, to);
}

#if defined(__linux__)
TEST(ThreadAffinity, AThreadStaysOnACoreAndTheOthersGoWhereTheyWant) {
  const std::vector<int> cores = usableCores();
  ASSERT_FALSE(cores.empty());
  std::thread([&] {
    EXPECT_TRUE(stayOnCore(cores.back()));
    EXPECT_EQ(usableCores(), std::vector<int>{cores.back()});
  }).join();
  EXPECT_EQ(usableCores(), cores);
  EXPECT_FALSE(stayOnCore(-1));
  EXPECT_FALSE(stayOnCore(8191));
  EXPECT_FALSE(stayOnCore(1'000'000));
  EXPECT_EQ(usableCores(), cores);
}

TEST(ProcessorScore, ScoresEachCoreOnce) {
  ProcessorScore score(kLittleWork);
  ASSERT_TRUE(eventually([&] { return score.status().state != ScoreState::Running; }));
  const ProcessorScoreStatus status = score.status();
  EXPECT_EQ(status.state, ScoreState::Done);
  const std::vector<int> cores = usableCores();
  EXPECT_EQ(status.coresInAll, cores.size());
  ASSERT_EQ(status.cores.size(), cores.size());
  for (size_t index = 0; index < cores.size(); ++index) {
    EXPECT_EQ(status.cores[index].core, cores[index]);
    EXPECT_GT(status.cores[index].integerMsteps, 0);
    EXPECT_GT(status.cores[index].memoryMBps, 0);
    EXPECT_EQ(status.cores[index].notMeasured, "");
  }
}

/** The finished score. */
ProcessorScoreStatus scored(ScoreWork work, ScoreMeans means) {
  ProcessorScore score(work, std::move(means));
  EXPECT_TRUE(eventually([&] { return score.status().state != ScoreState::Running; }));
  return score.status();
}

TEST(ProcessorScore, TheShortestRoundOfEachWorkCounts) {
  // The clock moves during work only. Any three rounds in a row hold the shortest.
  constexpr int64_t kIntegerNs[] = {500, 200, 400};
  constexpr int64_t kMemoryNs[] = {9000, 4096, 8192};
  int64_t nowNs = 0;
  size_t integerRounds = 0;
  size_t memoryRounds = 0;
  const ScoreMeans means{.nowNs = [&] { return nowNs; },
                         .integerWork =
                             [&](uint64_t) {
                               nowNs += kIntegerNs[integerRounds++ % 3];
                               return uint64_t{7};
                             },
                         .memoryWork = [&](std::span<const uint8_t>,
                                           std::span<uint8_t>) { nowNs += kMemoryNs[memoryRounds++ % 3]; }};
  const ProcessorScoreStatus status = scored(kLittleWork, means);
  ASSERT_EQ(status.state, ScoreState::Done);
  ASSERT_FALSE(status.cores.empty());
  for (const CoreScore& core : status.cores) {
    // 1000 steps in 200 ns, and 16384 bytes in 4096 ns.
    EXPECT_EQ(core.integerMsteps, 5000);
    EXPECT_EQ(core.memoryMBps, 4000);
  }
}

TEST(ProcessorScore, EachRoundCopiesTheNextPiece) {
  std::vector<const uint8_t*> from;
  std::vector<const uint8_t*> to;
  ScoreMeans means;
  means.memoryWork = [&](std::span<const uint8_t> source, std::span<uint8_t> target) {
    EXPECT_EQ(source.size(), kLittleWork.pieceBytes);
    EXPECT_EQ(target.size(), kLittleWork.pieceBytes);
    from.push_back(source.data());
    to.push_back(target.data());
  };
  scored(kLittleWork, means);
  ASSERT_GE(from.size(), 9u);
  for (size_t round = 0; round < 9; ++round) {
    EXPECT_EQ(from[round], from[0] + round % 4 * kLittleWork.pieceBytes);
    EXPECT_EQ(to[round], to[0] + round % 4 * kLittleWork.pieceBytes);
  }
}

TEST(ProcessorScore, ACoreThatComesToAnotherResultHasNoScore) {
  uint64_t calls = 0;
  ScoreMeans means;
  means.integerWork = [&](uint64_t) { return ++calls; };
  const ProcessorScoreStatus status = scored(kLittleWork, means);
  EXPECT_EQ(status.state, ScoreState::Done);
  ASSERT_FALSE(status.cores.empty());
  for (const CoreScore& core : status.cores) {
    EXPECT_TRUE(std::isnan(core.integerMsteps));
    EXPECT_TRUE(std::isnan(core.memoryMBps));
    EXPECT_EQ(core.notMeasured, "this core came to another result than the one before");
  }
}

TEST(ProcessorScore, ACoreThatWasCutShortHasNoScore) {
  ProcessorScore score(
      {.integerSteps = 1000, .memoryBytes = 1 << 16, .pieceBytes = 1 << 14, .rounds = 1'000'000'000});
  ASSERT_TRUE(eventually([&] { return score.status().coresInAll > 0; }));
  score.close();
  score.close();
  EXPECT_EQ(score.status().state, ScoreState::Running);
  EXPECT_TRUE(score.status().cores.empty());
}

#if !defined(WHITELINE_SANITIZED)
TEST(ProcessorScore, FailsInWordsWhereThereIsNoMemory) {
  ProcessorScore score({.integerSteps = 10, .memoryBytes = SIZE_MAX / 4, .pieceBytes = 1, .rounds = 1});
  ASSERT_TRUE(eventually([&] { return score.status().state != ScoreState::Running; }));
  EXPECT_EQ(score.status().state, ScoreState::Failed);
  EXPECT_NE(score.status().problemMessage.find("no memory for two blocks"), std::string::npos);
}
#endif
#endif

}  // namespace
}  // namespace whiteline::test
