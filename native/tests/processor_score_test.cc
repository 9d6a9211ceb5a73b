#include "native/base/processor/processor_score.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstdint>
#include <thread>

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
