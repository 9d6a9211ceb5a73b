// Untested platforms: they are not asked.
#if !defined(__linux__)

#include "native/base/platform/thread_time.h"

namespace whiteline {

ThreadClock::ThreadClock() = default;

ThreadClock::~ThreadClock() = default;

std::optional<ThreadTime> ThreadClock::now() const {
  return std::nullopt;
}

}  // namespace whiteline

#endif
