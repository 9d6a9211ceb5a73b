// Untested platform: nothing is asked of macOS, so nothing is in force.
#if !defined(__linux__) && !defined(_WIN32)

#include "native/base/platform/thread_policy.h"

namespace whiteline {

void chooseThreadPolicy(const ThreadPolicyOptions& /*options*/) {}

ThreadPolicyRefusals takeThreadPolicy(ThreadRole /*role*/) {
  return {{"threadPolicy", "Whiteline asks for none on this system"}};
}

std::optional<std::error_code> leaveRealTime() noexcept {
  return std::nullopt;
}

std::optional<int64_t> runnableTimeNs() {
  return std::nullopt;
}

ThreadPolicy threadPolicyNow() {
  return {};
}

std::optional<bool> memoryIsLocked() {
  return std::nullopt;
}

std::string memoryLockRefusal() {
  return {};
}

}  // namespace whiteline

#endif
