#include <algorithm>
#include <charconv>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <string>

#include "native/helpers/fanout/processor_time.h"

namespace whiteline::fanout {
namespace {

int64_t processNs() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return int64_t{now.tv_sec} * 1'000'000'000 + now.tv_nsec;
}

/** By the numbers of the threads. */
std::map<int, int64_t> threadsNs() {
  std::map<int, int64_t> found;
  std::error_code gone;
  for (std::filesystem::directory_iterator at("/proc/self/task", gone), end; at != end; at.increment(gone)) {
    const std::string name = at->path().filename();
    int thread = 0;
    std::from_chars(name.data(), name.data() + name.size(), thread);
    // The first number of it is the time on a processor.
    if (int64_t ns = 0; std::ifstream(at->path() / "schedstat") >> ns) found[thread] = ns;
  }
  return found;
}

}  // namespace

void ProcessorTime::begin() {
  beganNs_ = processNs();
  threadsBeganNs_ = threadsNs();
}

ProcessorTime::Used ProcessorTime::end() const {
  Used used{.processorNs = processNs() - beganNs_, .busiestThreadNs = 0};
  for (const auto& [thread, ns] : threadsNs()) {
    const auto before = threadsBeganNs_.find(thread);
    const int64_t beforeNs = before == threadsBeganNs_.end() ? 0 : before->second;
    used.busiestThreadNs = std::max(used.busiestThreadNs, ns - beforeNs);
  }
  return used;
}

}  // namespace whiteline::fanout
