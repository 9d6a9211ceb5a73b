#include "native/core/pacing/clock.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
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

TEST(Clock, SleepsUntilTheDeadlineAndNotAtAllPastIt) {
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
TEST(Clock, SignalsDoNotCutASleepShort) {
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

}  // namespace
}  // namespace whiteline
