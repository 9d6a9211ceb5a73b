#if defined(__linux__)
#include <fcntl.h>
#include <unistd.h>

#include <cinttypes>
#include <cstdio>

#include "native/base/platform/thread_time.h"

namespace whiteline {

ThreadClock::ThreadClock() : file_(open("/proc/thread-self/schedstat", O_RDONLY | O_CLOEXEC)) {}

ThreadClock::~ThreadClock() {
  if (file_ >= 0) close(file_);
}

std::optional<ThreadTime> ThreadClock::now() const {
  char facts[80]{};
  const ssize_t size = file_ < 0 ? 0 : pread(file_, facts, sizeof facts - 1, 0);
  ThreadTime time{};
  int64_t turns = 0;
  if (size <= 0 ||
      std::sscanf(facts, "%" SCNd64 " %" SCNd64 " %" SCNd64, &time.ranNs, &time.queuedNs, &turns) != 3)
    return std::nullopt;
  // A thread that asks has had a turn: a kernel that does not count reports zeros.
  if (turns == 0) return std::nullopt;
  return time;
}

}  // namespace whiteline

#endif
