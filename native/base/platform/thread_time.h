#pragma once

#include <cstdint>
#include <optional>

namespace whiteline {

/** Of one thread, since it began. */
struct ThreadTime {
  /** On a processor. */
  int64_t ranNs;
  /** Ready, while others had the processors. */
  int64_t queuedNs;

  int64_t bothNs() const { return ranNs + queuedNs; }
};

/** For a thread that asks again and again: to look is a third of what it costs to ask once. */
class ThreadClock {
 public:
  /** Of the thread that makes it. */
  ThreadClock();
  ~ThreadClock();
  ThreadClock(const ThreadClock&) = delete;
  ThreadClock& operator=(const ThreadClock&) = delete;

  /** By that thread; empty: this system does not say. Nothing is allocated: threads that measure ask. */
  std::optional<ThreadTime> now() const;

 private:
  /** Where the system keeps it; -1: nowhere. */
  int file_ = -1;
};

/** Of the thread that calls. */
std::optional<ThreadTime> threadTime();

}  // namespace whiteline
