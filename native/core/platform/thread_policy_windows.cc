// Untested platform.
#include "native/core/platform/thread_policy.h"

namespace whiteline {

// Nothing is asked of Windows, so nothing is in force.

void chooseThreadPolicy(const ThreadPolicyOptions& /*options*/) {}

ThreadPolicyRefusals takeThreadPolicy(ThreadRole /*role*/) {
  return {{"threadPolicy", "Whiteline asks for none on this system"}};
}

void leaveRealTime() noexcept {}

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
