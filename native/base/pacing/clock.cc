#include "native/base/pacing/clock.h"

#include <algorithm>
#include <cmath>

#if defined(_WIN32)
#include <windows.h>
#elif defined(__APPLE__)
#include <mach/mach_time.h>
#include <time.h>
#else
#include <time.h>

#include <cerrno>
#endif

#include "native/base/pacing/time_units.h"

namespace whiteline {
namespace {

#if defined(_WIN32)
// Run under Wine alone.

int64_t systemNs() {
  static const int64_t ticksPerSecond = [] {
    LARGE_INTEGER frequency;
    QueryPerformanceFrequency(&frequency);
    return frequency.QuadPart;
  }();
  LARGE_INTEGER ticks;
  QueryPerformanceCounter(&ticks);
  // Whole seconds apart, so that the product stays within 64 bits.
  const int64_t seconds = ticks.QuadPart / ticksPerSecond;
  const int64_t rest = ticks.QuadPart % ticksPerSecond;
  return seconds * kNsPerSecond + rest * kNsPerSecond / ticksPerSecond;
}

/** Not every header knows it. Windows does since 10.1803, and older ones refuse it. */
constexpr DWORD kHighResolution = 0x00000002;

class WaitableTimer {
 public:
  WaitableTimer()
      : handle_(CreateWaitableTimerExW(nullptr, nullptr, kHighResolution, TIMER_ALL_ACCESS)),
        isFine_(handle_ != nullptr) {
    if (!isFine_) handle_ = CreateWaitableTimerExW(nullptr, nullptr, 0, TIMER_ALL_ACCESS);
  }
  ~WaitableTimer() {
    if (handle_ != nullptr) CloseHandle(handle_);
  }
  WaitableTimer(const WaitableTimer&) = delete;
  WaitableTimer& operator=(const WaitableTimer&) = delete;

  HANDLE handle() const { return handle_; }
  bool isFine() const { return isFine_; }

 private:
  HANDLE handle_;
  bool isFine_;
};

void sleepUntilSystemNs(int64_t deadlineNs) {
  thread_local const WaitableTimer waitableTimer;
  const HANDLE timer = waitableTimer.handle();
  for (int64_t leftNs = deadlineNs - systemNs(); leftNs > 0; leftNs = deadlineNs - systemNs()) {
    LARGE_INTEGER due;
    due.QuadPart = -((leftNs + 99) / 100);  // Negative: relative, in units of 100 ns.
    if (timer == nullptr || !SetWaitableTimer(timer, &due, 0, nullptr, nullptr, FALSE)) {
      Sleep(1);
    } else {
      WaitForSingleObject(timer, INFINITE);
    }
  }
}

#elif defined(__APPLE__)
// Written for macOS but not yet run there.

int64_t systemNs() {
  return static_cast<int64_t>(clock_gettime_nsec_np(CLOCK_UPTIME_RAW));
}

void sleepUntilSystemNs(int64_t deadlineNs) {
  static const mach_timebase_info_data_t timebase = [] {
    mach_timebase_info_data_t info;
    mach_timebase_info(&info);
    return info;
  }();
  for (int64_t leftNs = deadlineNs - systemNs(); leftNs > 0; leftNs = deadlineNs - systemNs()) {
    const uint64_t leftTicks = static_cast<uint64_t>(leftNs) * timebase.denom / timebase.numer;
    mach_wait_until(mach_absolute_time() + leftTicks + 1);
  }
}

#else

int64_t systemNs() {
  timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return int64_t{now.tv_sec} * kNsPerSecond + now.tv_nsec;
}

void sleepUntilSystemNs(int64_t deadlineNs) {
  if (deadlineNs <= 0) return;
  timespec deadline;
  deadline.tv_sec = deadlineNs / kNsPerSecond;
  deadline.tv_nsec = deadlineNs % kNsPerSecond;
  // The deadline is absolute, so a signal costs nothing but another call.
  while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &deadline, nullptr) == EINTR) {
  }
}

#endif

/** Longer than a slot of 50 frames a second: a thread that waits for one wakes once. */
constexpr int64_t kLongestSleepNs = 20 * kNsPerMs;

/** What makes this process's clock another machine's. */
class Skew {
 public:
  Skew() = default;
  Skew(int64_t anchorNs, int64_t offsetNs, double share)
      : anchorNs_(anchorNs), offsetNs_(offsetNs), share_(share) {}

  int64_t skewedNs(int64_t timeNs) const {
    const auto sinceNs = static_cast<double>(timeNs - anchorNs_);
    return timeNs + offsetNs_ + std::llround(sinceNs * share_);
  }

  /** The first moment of the system's clock at which the skewed one has reached the time. */
  int64_t unskewedNs(int64_t timeNs) const {
    const auto sinceNs = static_cast<double>(timeNs - offsetNs_ - anchorNs_);
    int64_t systemTimeNs = timeNs - offsetNs_ - std::llround(sinceNs * share_ / (1 + share_)) - 1;
    while (skewedNs(systemTimeNs) < timeNs) ++systemTimeNs;
    return systemTimeNs;
  }

 private:
  int64_t anchorNs_ = 0;
  int64_t offsetNs_ = 0;
  double share_ = 0;
};

Skew skew;
std::atomic<bool> isSkewed{false};

}  // namespace

int64_t monotonicNs() {
  const int64_t nowNs = systemNs();
  return isSkewed.load(std::memory_order_acquire) ? skew.skewedNs(nowNs) : nowNs;
}

void sleepUntilNs(int64_t deadlineNs) {
  sleepUntilSystemNs(isSkewed.load(std::memory_order_acquire) ? skew.unskewedNs(deadlineNs) : deadlineNs);
}

#if defined(_WIN32)
bool sleepsFinely() {
  return WaitableTimer().isFine();
}
#endif

bool sleepUntilOrClosing(int64_t timeNs, const std::atomic<bool>& closing) {
  while (!closing) {
    const int64_t nowNs = monotonicNs();
    if (nowNs >= timeNs) return true;
    sleepUntilNs(std::min(timeNs, nowNs + kLongestSleepNs));
  }
  return false;
}

void setClockSkew(int64_t offsetNs, double partsPerMillion) {
  isSkewed = false;
  skew = Skew(systemNs(), offsetNs, partsPerMillion / 1'000'000);
  isSkewed = offsetNs != 0 || partsPerMillion != 0;
}

}  // namespace whiteline
