#include "native/base/platform/thread_policy.h"

#include <thread>

namespace whiteline {

void adoptThreadPolicy(ThreadRole role) noexcept {
  try {
    takeThreadPolicy(role);
  } catch (...) {
    // Without memory for a reason the thread runs on under what it has.
  }
}

ThreadPolicyTrial tryThreadPolicy(ThreadRole role) {
  ThreadPolicyTrial trial;
  std::thread([&] {
    trial.refused = takeThreadPolicy(role);
    trial.inForce = threadPolicyNow();
  }).join();
  return trial;
}

}  // namespace whiteline
