#if defined(_WIN32)

#include <gtest/gtest.h>

#include <thread>

#include "native/base/pacing/clock.h"
#include "native/base/platform/thread_policy.h"

namespace whiteline::test {
namespace {

class ThreadPolicyOfWindows : public testing::Test {
 protected:
  ThreadPolicyOfWindows() { chooseThreadPolicy({.enabled = true, .core = 0}); }
  ~ThreadPolicyOfWindows() override { chooseThreadPolicy({.enabled = false}); }
};

TEST_F(ThreadPolicyOfWindows, PacingThreadsBelongToATaskOfTheSystem) {
  const ThreadPolicyTrial trial = tryThreadPolicy(ThreadRole::Pacing);
  EXPECT_EQ(trial.inForce.task, "Pro Audio");
  EXPECT_EQ(trial.inForce.cores, std::vector<int>{0});
  EXPECT_EQ(trial.refused, ThreadPolicyRefusals{});
}

TEST_F(ThreadPolicyOfWindows, ThreadsBehindTheOthersHaveALowerPriority) {
  EXPECT_EQ(tryThreadPolicy(ThreadRole::Receiving).inForce.priority, 0);
  EXPECT_EQ(tryThreadPolicy(ThreadRole::Background).inForce.priority, -1);
  EXPECT_EQ(tryThreadPolicy(ThreadRole::Looking).inForce.priority, -2);
}

TEST_F(ThreadPolicyOfWindows, AThreadLeavesItsTaskOnce) {
  std::thread([] {
    adoptThreadPolicy(ThreadRole::Sending);
    EXPECT_EQ(leaveRealTime(), std::error_code());
    EXPECT_EQ(leaveRealTime(), std::nullopt);
    EXPECT_EQ(threadPolicyNow().task, std::nullopt);
  }).join();
}

TEST_F(ThreadPolicyOfWindows, ReportsMemoryThatItDoesNotLock) {
  EXPECT_EQ(memoryLockRefusal(), "");
  chooseThreadPolicy({.enabled = true, .lockedMemory = true});
  EXPECT_NE(memoryLockRefusal(), "");
  EXPECT_EQ(memoryIsLocked(), std::nullopt);
}

TEST_F(ThreadPolicyOfWindows, TheTimeOfAThreadThatWorksGoesOn) {
  const int64_t beganNs = monotonicNs();
  while (monotonicNs() - beganNs < 200'000'000) {
  }
  const std::optional<int64_t> ranNs = runnableTimeNs();
  ASSERT_TRUE(ranNs);
  EXPECT_GT(*ranNs, 0);
}

}  // namespace
}  // namespace whiteline::test

#endif
