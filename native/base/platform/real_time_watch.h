#pragma once

#include <atomic>
#include <cstdint>
#include <string>

namespace whiteline {

/** Whether a thread hardly sleeps, by how long it has been runnable. */
class SleepWatch {
 public:
  /** Of half a second at a time: true at the end of one in which it slept for less than a tenth. */
  bool hardlySleeps(int64_t nowNs, int64_t runnableNs);
  /** Whether such a time is over, so that it has to be asked. */
  bool isDue(int64_t nowNs) const { return nowNs - beganNs_ >= kWatchedNs; }

 private:
  static constexpr int64_t kWatchedNs = 500'000'000;

  int64_t beganNs_ = -kWatchedNs;
  int64_t runnableBeforeNs_ = 0;
  bool hasBegun_ = false;
};

/**
 * Takes real-time priority from a thread that cannot keep up and so hardly sleeps: it would take a core from
 * all others. One that waits inside the transport sleeps, however long its call takes.
 */
class RealTimeWatch {
 public:
  /** By that thread, at least once a slot. */
  void look(int64_t nowNs);

  /** Any thread: what became of the priority, in words; empty: nothing. */
  std::string finding() const;

 private:
  static constexpr int kNothing = -1;

  SleepWatch sleep_;
  /** Of the attempt to leave, 0: it succeeded. */
  std::atomic<int> errorNumber_{kNothing};
};

}  // namespace whiteline
