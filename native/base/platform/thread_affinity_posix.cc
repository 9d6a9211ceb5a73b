#include "native/base/platform/thread_affinity.h"

#if defined(__linux__)
#include <sched.h>

#include <memory>
#endif

namespace whiteline {

#if defined(__linux__)

namespace {

/** More than any kernel is built for. */
constexpr int kMostCores = 8192;

struct FreeSet {
  void operator()(cpu_set_t* set) const { CPU_FREE(set); }
};

/** A set with room for all cores: the usual one ends at 1024. */
std::unique_ptr<cpu_set_t, FreeSet> emptySet() {
  std::unique_ptr<cpu_set_t, FreeSet> set(CPU_ALLOC(kMostCores));
  if (set != nullptr) CPU_ZERO_S(CPU_ALLOC_SIZE(kMostCores), set.get());
  return set;
}

}  // namespace

std::vector<int> usableCores() {
  const auto set = emptySet();
  const size_t bytes = CPU_ALLOC_SIZE(kMostCores);
  if (set == nullptr || sched_getaffinity(0, bytes, set.get()) != 0) return {};
  std::vector<int> cores;
  for (int core = 0; core < kMostCores; ++core) {
    if (CPU_ISSET_S(core, bytes, set.get())) cores.push_back(core);
  }
  return cores;
}

bool stayOnCore(int core) noexcept {
  const auto set = emptySet();
  if (set == nullptr || core < 0 || core >= kMostCores) return false;
  CPU_SET_S(core, CPU_ALLOC_SIZE(kMostCores), set.get());
  return sched_setaffinity(0, CPU_ALLOC_SIZE(kMostCores), set.get()) == 0;
}

void avoidCore(int core) {
  const auto set = emptySet();
  if (set == nullptr) return;
  const size_t bytes = CPU_ALLOC_SIZE(kMostCores);
  for (const int usable : usableCores()) {
    if (usable != core) CPU_SET_S(usable, bytes, set.get());
  }
  // The kernel refuses an empty set.
  sched_setaffinity(0, bytes, set.get());
}

#else

// Untested platform: macOS takes no more than hints.

std::vector<int> usableCores() {
  return {};
}

bool stayOnCore(int /*core*/) noexcept {
  return false;
}

void avoidCore(int /*core*/) {}

#endif

}  // namespace whiteline
