#include <pthread.h>

#include <array>

#include "native/base/platform/thread_name.h"

namespace whiteline {
namespace {

/** Room for the longest name of any of these systems. */
constexpr size_t kNameRoom = 64;

}  // namespace

std::string threadName() {
  std::array<char, kNameRoom> name{};
  return pthread_getname_np(pthread_self(), name.data(), name.size()) == 0 ? name.data() : "";
}

void setThreadName(const char* name) noexcept {
#if defined(__APPLE__)
  // Untested platform.
  pthread_setname_np(name);
#else
  pthread_setname_np(pthread_self(), name);
#endif
}

}  // namespace whiteline
