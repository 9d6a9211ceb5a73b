#if defined(__linux__)
#include <linux/capability.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <ctime>
#include <fstream>
#include <system_error>

#include "native/base/platform/thread_affinity.h"
#include "native/base/platform/thread_policy.h"
#include "native/base/platform/thread_time.h"

namespace whiteline {

namespace {

/** The least, and so above all ordinary threads and below those of the kernel's drivers. */
constexpr int kRealTimePriority = 1;
constexpr unsigned long kTimerSlackNs = 1;
/** The shortest that the kernel takes. */
constexpr uint64_t kSliceNs = 100'000;
constexpr int kBackgroundNice = 5;
constexpr int kLookingNice = 10;
constexpr int kMostNice = 19;
/** SCHED_FLAG_RESET_ON_FORK, of a header that glibc's contradicts. */
constexpr uint64_t kResetOnFork = 1;

/** As the kernel has it: glibc does not everywhere. */
struct SchedulerAttributes {
  uint32_t size = sizeof(SchedulerAttributes);
  uint32_t policy = SCHED_OTHER;
  uint64_t flags = 0;
  int32_t nice = 0;
  uint32_t priority = 0;
  /** Of an ordinary thread its slice (Linux 6.12 on; ignored before). */
  uint64_t runtimeNs = 0;
  uint64_t deadlineNs = 0;
  uint64_t periodNs = 0;
};

ThreadPolicyOptions chosenOptions{.enabled = false};
std::string lockRefusal;

std::string systemReason(int errorNumber) {
  return std::generic_category().message(errorNumber);
}

std::string limitText(int resource) {
  rlimit limit{};
  getrlimit(static_cast<__rlimit_resource>(resource), &limit);
  return limit.rlim_cur == RLIM_INFINITY ? "unlimited" : std::to_string(limit.rlim_cur);
}

std::optional<SchedulerAttributes> readAttributes() {
  SchedulerAttributes attributes;
  if (syscall(SYS_sched_getattr, 0, &attributes, sizeof attributes, 0) != 0) return std::nullopt;
  return attributes;
}

bool setAttributes(SchedulerAttributes attributes) {
  attributes.size = sizeof attributes;
  return syscall(SYS_sched_setattr, 0, &attributes, 0) == 0;
}

/** Of the calling thread; the attributes of a real-time thread do not say it. */
int niceNow() {
  return getpriority(PRIO_PROCESS, 0);
}

void takeTimerSlack(ThreadPolicyRefusals& refused) {
  if (prctl(PR_SET_TIMERSLACK, kTimerSlackNs, 0, 0, 0) != 0) refused["timerSlack"] = systemReason(errno);
}

/** What needs a right to be changed stays: the nice value, and that what the thread starts is ordinary. */
bool beOrdinary(uint64_t sliceNs) {
  const std::optional<SchedulerAttributes> now = readAttributes();
  SchedulerAttributes ordinary;
  ordinary.flags = now ? now->flags & kResetOnFork : 0;
  ordinary.nice = niceNow();
  ordinary.runtimeNs = sliceNs;
  return setAttributes(ordinary);
}

void takeSlice(ThreadPolicyRefusals& refused) {
  if (!beOrdinary(kSliceNs)) {
    refused["slice"] = systemReason(errno);
    return;
  }
  const std::optional<SchedulerAttributes> now = readAttributes();
  if (!now || now->runtimeNs != kSliceNs) refused["slice"] = "the kernel has no slices of a thread's own";
}

bool hasCapability(int capability) {
  __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
  __user_cap_data_struct capabilities[_LINUX_CAPABILITY_U32S_3]{};
  if (syscall(SYS_capget, &header, capabilities) != 0) return false;
  return (capabilities[CAP_TO_INDEX(capability)].effective & CAP_TO_MASK(capability)) != 0;
}

void takeRealTime(ThreadPolicyRefusals& refused) {
  SchedulerAttributes attributes;
  attributes.policy = SCHED_FIFO;
  // What the thread starts, threads of a transport among them, may spin.
  attributes.flags = kResetOnFork;
  attributes.priority = kRealTimePriority;
  if (setAttributes(attributes)) return;
  refused["realTime"] = systemReason(errno);
  if (hasCapability(CAP_SYS_NICE)) return;
  refused["realTime"] += " (no CAP_SYS_NICE; RLIMIT_RTPRIO is " + limitText(RLIMIT_RTPRIO) + ")";
}

/** Below what the process was started with, so that it needs no right. */
void stepBack(int steps, ThreadPolicyRefusals& refused) {
  const int ofProcess = getpriority(PRIO_PROCESS, static_cast<id_t>(getpid()));
  const auto thread = static_cast<id_t>(gettid());
  if (setpriority(PRIO_PROCESS, thread, std::min(ofProcess + steps, kMostNice)) != 0) {
    refused["nice"] = systemReason(errno);
  }
}

/** Under a limit the lock would hold at first, and later pages be refused. */
std::string lockMemory() {
  if (!hasCapability(CAP_IPC_LOCK) && limitText(RLIMIT_MEMLOCK) != "unlimited") {
    return "no CAP_IPC_LOCK, and RLIMIT_MEMLOCK is " + limitText(RLIMIT_MEMLOCK) + " bytes";
  }
  // Each page when it is first touched: V8 and threads reserve far more than they use.
  return mlockall(MCL_CURRENT | MCL_FUTURE | MCL_ONFAULT) == 0 ? "" : systemReason(errno);
}

}  // namespace

void chooseThreadPolicy(const ThreadPolicyOptions& options) {
  chosenOptions = options;
  lockRefusal = options.enabled && options.lockedMemory ? lockMemory() : "";
}

ThreadPolicyRefusals takeThreadPolicy(ThreadRole role) {
  ThreadPolicyRefusals refused;
  const ThreadPolicyOptions& options = chosenOptions;
  if (!options.enabled) return refused;
  if (role == ThreadRole::Background || role == ThreadRole::Looking) {
    stepBack(role == ThreadRole::Looking ? kLookingNice : kBackgroundNice, refused);
    return refused;
  }
  takeTimerSlack(refused);
  takeSlice(refused);
  if (role == ThreadRole::Receiving) return refused;
  if (options.realTime) takeRealTime(refused);
  if (options.core && !stayOnCore(*options.core)) {
    refused["core"] = "this process may not use core " + std::to_string(*options.core);
  }
  return refused;
}

std::optional<std::error_code> leaveRealTime() noexcept {
  const std::optional<SchedulerAttributes> now = readAttributes();
  if (!now || now->policy != SCHED_FIFO) return std::nullopt;
  if (!beOrdinary(kSliceNs)) return std::error_code(errno, std::generic_category());
  // The kernel gave the thread its first slack back with its first scheduler.
  prctl(PR_SET_TIMERSLACK, kTimerSlackNs, 0, 0, 0);
  return std::error_code();
}

std::optional<int64_t> runnableTimeNs() {
  if (const std::optional<ThreadTime> time = threadTime()) return time->bothNs();
  // How long it ran alone says less on a full processor.
  timespec ran{};
  if (clock_gettime(CLOCK_THREAD_CPUTIME_ID, &ran) != 0) return std::nullopt;
  return int64_t{ran.tv_sec} * 1'000'000'000 + ran.tv_nsec;
}

ThreadPolicy threadPolicyNow() {
  ThreadPolicy policy;
  const int slackNs = prctl(PR_GET_TIMERSLACK, 0, 0, 0, 0);
  if (slackNs >= 0) policy.timerSlackNs = slackNs;
  if (const std::optional<SchedulerAttributes> now = readAttributes()) {
    policy.nice = niceNow();
    policy.realTimePriority = static_cast<int>(now->priority);
    if (now->policy == SCHED_OTHER && now->runtimeNs > 0)
      policy.sliceNs = static_cast<int64_t>(now->runtimeNs);
  }
  policy.cores = usableCores();
  return policy;
}

std::optional<bool> memoryIsLocked() {
  std::ifstream facts("/proc/self/status");
  std::string name;
  uint64_t kibibytes = 0;
  for (std::string rest; facts >> name; std::getline(facts, rest)) {
    if (name == "VmLck:" && facts >> kibibytes) return kibibytes > 0;
  }
  return std::nullopt;
}

std::string memoryLockRefusal() {
  return lockRefusal;
}

}  // namespace whiteline

#endif
