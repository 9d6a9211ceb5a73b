// The second needs names of the first.
// clang-format off
#include <windows.h>
#include <avrt.h>
// clang-format on

#include "native/base/pacing/clock.h"
#include "native/base/platform/thread_affinity.h"
#include "native/base/platform/thread_policy.h"

namespace whiteline {
namespace {

/** Of the tasks that Windows has for audio and video: the one that is late least. */
constexpr const wchar_t* kTask = L"Pro Audio";
constexpr const char* kTaskName = "Pro Audio";

ThreadPolicyOptions chosenOptions{.enabled = false};

/** What the calling thread was given. */
struct Granted {
  HANDLE task = nullptr;
  std::optional<int> core = std::nullopt;
};
thread_local Granted granted;

std::string lastReason() {
  return "Windows error " + std::to_string(GetLastError());
}

void takeTask(ThreadPolicyRefusals& refused) {
  DWORD index = 0;
  granted.task = AvSetMmThreadCharacteristicsW(kTask, &index);
  if (granted.task == nullptr) refused["realTime"] = lastReason();
}

}  // namespace

void chooseThreadPolicy(const ThreadPolicyOptions& options) {
  chosenOptions = options;
}

ThreadPolicyRefusals takeThreadPolicy(ThreadRole role) {
  ThreadPolicyRefusals refused;
  const ThreadPolicyOptions& options = chosenOptions;
  if (!options.enabled) return refused;
  if (role == ThreadRole::Background || role == ThreadRole::Looking) {
    const int priority = role == ThreadRole::Looking ? THREAD_PRIORITY_LOWEST : THREAD_PRIORITY_BELOW_NORMAL;
    if (!SetThreadPriority(GetCurrentThread(), priority)) refused["priority"] = lastReason();
    return refused;
  }
  if (!sleepsFinely()) refused["timerSlack"] = "this Windows has no timers of high resolution (10.1803 has)";
  if (role == ThreadRole::Receiving) return refused;
  if (options.realTime) takeTask(refused);
  if (options.core && !stayOnCore(*options.core))
    refused["core"] = "this process may not use core " + std::to_string(*options.core);
  else
    granted.core = options.core;
  return refused;
}

std::optional<std::error_code> leaveRealTime() noexcept {
  if (granted.task == nullptr) return std::nullopt;
  const bool isLeft = AvRevertMmThreadCharacteristics(granted.task) != 0;
  granted.task = nullptr;
  return isLeft ? std::error_code() : std::error_code(EPERM, std::generic_category());
}

std::optional<int64_t> runnableTimeNs() {
  FILETIME began;
  FILETIME ended;
  FILETIME kernel;
  FILETIME user;
  if (!GetThreadTimes(GetCurrentThread(), &began, &ended, &kernel, &user)) return std::nullopt;
  const auto nsOf = [](FILETIME time) {
    return static_cast<int64_t>((uint64_t{time.dwHighDateTime} << 32 | time.dwLowDateTime) * 100);
  };
  return nsOf(kernel) + nsOf(user);
}

ThreadPolicy threadPolicyNow() {
  ThreadPolicy policy;
  if (granted.task != nullptr) policy.task = kTaskName;
  if (const int priority = GetThreadPriority(GetCurrentThread()); priority != THREAD_PRIORITY_ERROR_RETURN)
    policy.priority = priority;
  policy.cores = granted.core ? std::vector{*granted.core} : usableCores();
  return policy;
}

std::optional<bool> memoryIsLocked() {
  return std::nullopt;
}

std::string memoryLockRefusal() {
  const bool isWanted = chosenOptions.enabled && chosenOptions.lockedMemory;
  return isWanted ? "Whiteline does not ask Windows for it" : "";
}

}  // namespace whiteline
