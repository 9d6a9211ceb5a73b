#if defined(__linux__)
#include <fcntl.h>
#include <unistd.h>

#include <cinttypes>
#include <cstdio>

#include "native/base/platform/stolen_time.h"

namespace whiteline {

std::optional<int64_t> stolenTimeNs() {
  // Of all processors, in ticks of 10 ms: user, nice, system, idle, iowait, irq, softirq, steal.
  constexpr int64_t kTickNs = 10'000'000;
  const int file = open("/proc/stat", O_RDONLY | O_CLOEXEC);
  if (file < 0) return std::nullopt;
  char facts[256]{};
  const ssize_t size = pread(file, facts, sizeof facts - 1, 0);
  close(file);
  int64_t ticks = 0;
  if (size <= 0 || std::sscanf(facts, "cpu %*d %*d %*d %*d %*d %*d %*d %" SCNd64, &ticks) != 1)
    return std::nullopt;
  return ticks * kTickNs;
}

}  // namespace whiteline

#endif
