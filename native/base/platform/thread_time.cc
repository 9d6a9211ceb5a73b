#include "native/base/platform/thread_time.h"

namespace whiteline {

std::optional<ThreadTime> threadTime() {
  return ThreadClock().now();
}

}  // namespace whiteline
