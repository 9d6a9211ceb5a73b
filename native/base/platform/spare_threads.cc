#include "native/base/platform/spare_threads.h"

#include <mutex>
#include <string>
#include <system_error>
#include <thread>
#include <vector>

#include "native/base/platform/error.h"

namespace whiteline {

void requireSpareThreads(size_t count) {
  std::mutex mutex;
  std::vector<std::jthread> threads;
  threads.reserve(count);
  // Each waits for it. It is let go before they are joined.
  const std::lock_guard untilAllStarted(mutex);
  try {
    while (threads.size() < count) {
      threads.emplace_back([&mutex] { const std::lock_guard started(mutex); });
    }
  } catch (const std::system_error& error) {
    throw Error("THREADS_EXHAUSTED", "The system gives this process " + std::to_string(threads.size()) +
                                         " more threads, and " + std::to_string(count) +
                                         " may be needed: " + error.what());
  }
}

}  // namespace whiteline
