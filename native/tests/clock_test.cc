#include "native/base/pacing/clock.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <limits>
#include <thread>

#if !defined(_WIN32)
#include <pthread.h>
#include <signal.h>
#endif

namespace whiteline {
namespace {

constexpr int64_t kMillisecondNs = 1'000'000;

TEST(Clock, IsTheMonotonicClockAndNeverGoesBack) {
  const auto before = std::chrono::steady_clock::now().time_since_epoch();
  const int64_t now = monotonicNs();
  const auto after = std::chrono::steady_clock::now().time_since_epoch();
  EXPECT_GE(now, std::chrono::nanoseconds(before).count());
  EXPECT_LE(now, std::chrono::nanoseconds(after).count());

  int64_t previous = monotonicNs();
  for (int round = 0; round < 100'000; ++round) {
    const int64_t next = monotonicNs();
    ASSERT_GE(next, previous);
    previous = next;
  }
}

TEST(Clock, SleepsUntilTheDeadlineAndNotAtAllPastItOnQuietMachine) {
  const int64_t deadline = monotonicNs() + 20 * kMillisecondNs;
  sleepUntilNs(deadline);
  EXPECT_GE(monotonicNs(), deadline);

  const int64_t start = monotonicNs();
  sleepUntilNs(start - 1000 * kMillisecondNs);
  sleepUntilNs(0);
  sleepUntilNs(-1);
  EXPECT_LT(monotonicNs() - start, 500 * kMillisecondNs);
}

#if !defined(_WIN32)
TEST(Clock, SignalsDoNotCutASleepShortOnQuietMachine) {
  struct sigaction action {};
  struct sigaction previous {};
  static std::atomic<int> signalsCaught{0};
  action.sa_handler = [](int) { ++signalsCaught; };
  ASSERT_EQ(sigaction(SIGUSR1, &action, &previous), 0);

  const int64_t deadline = monotonicNs() + 100 * kMillisecondNs;
  std::atomic<int64_t> wokeNs{0};
  std::thread sleeper([&] {
    sleepUntilNs(deadline);
    wokeNs = monotonicNs();
  });
  while (monotonicNs() < deadline - 20 * kMillisecondNs) {
    pthread_kill(sleeper.native_handle(), SIGUSR1);
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  sleeper.join();
  sigaction(SIGUSR1, &previous, nullptr);

  EXPECT_GT(signalsCaught, 0);
  EXPECT_GE(wokeNs, deadline);
}
#endif

int64_t steadyNs() {
  return std::chrono::nanoseconds(std::chrono::steady_clock::now().time_since_epoch()).count();
}

/** How far the clock is ahead of the machine's. */
int64_t aheadNs() {
  int64_t closestNs = INT64_MAX;
  int64_t aheadNs = 0;
  for (int round = 0; round < 100; ++round) {
    const int64_t before = steadyNs();
    const int64_t now = monotonicNs();
    const int64_t after = steadyNs();
    if (after - before >= closestNs) continue;
    closestNs = after - before;
    aheadNs = now - (before + after) / 2;
  }
  return aheadNs;
}

/** Another machine's clock for the time of a test. */
class SkewedClock : public testing::Test {
 protected:
  ~SkewedClock() override { setClockSkew(0, 0); }
};

TEST_F(SkewedClock, IsAheadByTheOffset) {
  for (const int64_t offsetNs : {37 * kMillisecondNs, -500 * kMillisecondNs, int64_t{0}}) {
    setClockSkew(offsetNs, 0);
    EXPECT_NEAR(static_cast<double>(aheadNs()), static_cast<double>(offsetNs), 50'000);
  }
}

TEST_F(SkewedClock, RunsFastFromTheCallOn) {
  constexpr int64_t kOffsetNs = 37 * kMillisecondNs;
  // Twice as fast.
  constexpr double kPartsPerMillion = 1'000'000;
  const int64_t beforeCallNs = steadyNs();
  setClockSkew(kOffsetNs, kPartsPerMillion);
  const int64_t afterCallNs = steadyNs();
  while (steadyNs() < afterCallNs + kMillisecondNs) {
  }
  const int64_t beforeNs = steadyNs();
  const int64_t nowNs = monotonicNs();
  const int64_t afterNs = steadyNs();
  EXPECT_GE(nowNs, beforeNs + kOffsetNs + (beforeNs - afterCallNs));
  EXPECT_LE(nowNs, afterNs + kOffsetNs + (afterNs - beforeCallNs));
}

TEST_F(SkewedClock, SleepsByItselfOnQuietMachine) {
  for (const double partsPerMillion : {3'000'000.0, -500'000.0}) {
    setClockSkew(-3000 * kMillisecondNs, partsPerMillion);
    const double expectedNs = 100e6 / (1 + partsPerMillion / 1e6);
    double shortestNs = std::numeric_limits<double>::infinity();
    // A machine without time wakes a sleeper late, though not each time.
    for (int round = 0; round < 10 && shortestNs >= expectedNs + 20e6; ++round) {
      const int64_t realStartNs = steadyNs();
      const int64_t deadlineNs = monotonicNs() + 100 * kMillisecondNs;
      sleepUntilNs(deadlineNs);
      const auto realNs = static_cast<double>(steadyNs() - realStartNs);
      EXPECT_GE(monotonicNs(), deadlineNs);
      EXPECT_GE(realNs, expectedNs - 1e6);
      shortestNs = std::min(shortestNs, realNs);
    }
    EXPECT_LT(shortestNs, expectedNs + 20e6);
  }
}

TEST_F(SkewedClock, NeverWakesEarlyNorGoesBack) {
  setClockSkew(1, 33.3);
  int64_t previous = monotonicNs();
  for (int round = 0; round < 2000; ++round) {
    const int64_t deadline = previous + 1000 + round;
    sleepUntilNs(deadline);
    previous = monotonicNs();
    ASSERT_GE(previous, deadline);
  }
}

}  // namespace
}  // namespace whiteline
