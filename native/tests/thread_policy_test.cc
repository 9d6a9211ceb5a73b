#include "native/base/platform/thread_policy.h"

#include <gtest/gtest.h>

#if defined(__linux__)

#include <dirent.h>
#include <linux/capability.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <future>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "native/media/pipeline/decode_pool.h"
#include "native/media/pipeline/source.h"
#include "native/tests/pipeline_fakes.h"

namespace whiteline::test {
namespace {

struct SystemPolicy {
  int slackNs;
  int nice;
  int scheduler;
  int priority;
};

/** Asked of the kernel by other calls than those of the code under test. */
SystemPolicy askKernel(pid_t thread) {
  sched_param parameters{};
  sched_getparam(thread, &parameters);
  return {prctl(PR_GET_TIMERSLACK, 0, 0, 0, 0), getpriority(PRIO_PROCESS, static_cast<id_t>(thread)),
          sched_getscheduler(thread), parameters.sched_priority};
}

SystemPolicy onThreadAs(ThreadRole role) {
  return std::async(std::launch::async,
                    [role] {
                      adoptThreadPolicy(role);
                      return askKernel(gettid());
                    })
      .get();
}

/** Whether this process may have real-time priority: found out by asking for it. */
bool mayRealTime() {
  return std::async(std::launch::async,
                    [] {
                      const sched_param parameters{1};
                      return sched_setscheduler(0, SCHED_FIFO, &parameters) == 0;
                    })
      .get();
}

class ThreadPolicyTest : public testing::Test {
 protected:
  ~ThreadPolicyTest() override { chooseThreadPolicy({.enabled = false}); }
  const SystemPolicy before_ = askKernel(gettid());
};

TEST_F(ThreadPolicyTest, ChangesNothingUntilItIsChosen) {
  for (const ThreadRole role :
       {ThreadRole::Pacing, ThreadRole::Sending, ThreadRole::Background, ThreadRole::Looking}) {
    const SystemPolicy now = onThreadAs(role);
    EXPECT_EQ(now.slackNs, before_.slackNs);
    EXPECT_EQ(now.nice, before_.nice);
    EXPECT_EQ(now.scheduler, before_.scheduler);
  }
}

TEST_F(ThreadPolicyTest, IsInForceInTheKernel) {
  chooseThreadPolicy({.realTime = false});
  for (const ThreadRole role : {ThreadRole::Pacing, ThreadRole::Sending, ThreadRole::Receiving}) {
    const SystemPolicy now = onThreadAs(role);
    EXPECT_EQ(now.slackNs, 1);
    EXPECT_EQ(now.nice, before_.nice);
    EXPECT_EQ(now.scheduler, SCHED_OTHER);
  }
  const SystemPolicy background = onThreadAs(ThreadRole::Background);
  EXPECT_EQ(background.nice, before_.nice + 5);
  EXPECT_EQ(background.slackNs, before_.slackNs);
  EXPECT_EQ(onThreadAs(ThreadRole::Looking).nice, before_.nice + 10);
}

TEST_F(ThreadPolicyTest, IsReportedAsTheKernelHasIt) {
  chooseThreadPolicy({});
  for (const ThreadRole role : {ThreadRole::Pacing, ThreadRole::Sending, ThreadRole::Receiving,
                                ThreadRole::Background, ThreadRole::Looking}) {
    const ThreadPolicy reported = tryThreadPolicy(role).inForce;
    const SystemPolicy now = onThreadAs(role);
    EXPECT_EQ(reported.timerSlackNs, now.slackNs);
    EXPECT_EQ(reported.nice, now.nice);
    EXPECT_EQ(reported.realTimePriority, now.priority);
  }
}

TEST_F(ThreadPolicyTest, GivesRealTimePriorityToThreadsThatBlockAlone) {
  chooseThreadPolicy({});
  const ThreadPolicyTrial pacing = tryThreadPolicy(ThreadRole::Pacing);
  EXPECT_EQ(pacing.inForce.realTimePriority, mayRealTime() ? 1 : 0);
  EXPECT_EQ(pacing.refused.count("realTime"), mayRealTime() ? 0U : 1U);
  for (const ThreadRole role : {ThreadRole::Receiving, ThreadRole::Background, ThreadRole::Looking}) {
    EXPECT_EQ(tryThreadPolicy(role).inForce.realTimePriority, 0);
    EXPECT_EQ(tryThreadPolicy(role).refused.count("realTime"), 0U);
  }
}

TEST_F(ThreadPolicyTest, LeavesWhatAThreadStartsOrdinary) {
  chooseThreadPolicy({});
  const SystemPolicy started =
      std::async(std::launch::async, [] {
        adoptThreadPolicy(ThreadRole::Pacing);
        return std::async(std::launch::async, [] { return askKernel(gettid()); }).get();
      }).get();
  EXPECT_EQ(started.scheduler, SCHED_OTHER);
}

TEST_F(ThreadPolicyTest, RealTimePriorityCanBeLeft) {
  chooseThreadPolicy({});
  const SystemPolicy left = std::async(std::launch::async, [] {
                              adoptThreadPolicy(ThreadRole::Pacing);
                              leaveRealTime();
                              return askKernel(gettid());
                            }).get();
  EXPECT_EQ(left.scheduler, SCHED_OTHER);
  EXPECT_EQ(left.slackNs, 1);
}

/** Takes every right from the calling thread, and from those that it starts; limits go down for all threads.
 */
class WithoutRights {
 public:
  WithoutRights() {
    __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
    const __user_cap_data_struct none[_LINUX_CAPABILITY_U32S_3]{};
    EXPECT_EQ(syscall(SYS_capset, &header, none), 0);
    lower(RLIMIT_RTPRIO, 0, realTime_);
    lower(RLIMIT_MEMLOCK, 65536, memory_);
  }
  ~WithoutRights() {
    setrlimit(RLIMIT_RTPRIO, &realTime_);
    setrlimit(RLIMIT_MEMLOCK, &memory_);
  }

 private:
  static void lower(__rlimit_resource resource, rlim_t most, rlimit& before) {
    getrlimit(resource, &before);
    const rlimit lowered{std::min(most, before.rlim_max), before.rlim_max};
    EXPECT_EQ(setrlimit(resource, &lowered), 0);
  }

  rlimit realTime_{};
  rlimit memory_{};
};

TEST_F(ThreadPolicyTest, NamesTheReasonsOfWhatIsRefused) {
  std::async(std::launch::async, [] {
    const WithoutRights without;
    chooseThreadPolicy({.lockedMemory = true, .core = 100'000});
    const ThreadPolicyTrial trial = tryThreadPolicy(ThreadRole::Sending);
    EXPECT_NE(trial.refused.at("realTime").find("RLIMIT_RTPRIO is 0"), std::string::npos);
    EXPECT_NE(trial.refused.at("core").find("core 100000"), std::string::npos);
    EXPECT_NE(memoryLockRefusal().find("RLIMIT_MEMLOCK is 65536"), std::string::npos);
    EXPECT_EQ(memoryIsLocked(), false);
    EXPECT_EQ(trial.inForce.realTimePriority, 0);
    EXPECT_EQ(trial.inForce.timerSlackNs, 1);
  }).get();
}

#if !defined(WHITELINE_SANITIZED)
TEST_F(ThreadPolicyTest, LocksMemoryOrSaysWhyNot) {
  chooseThreadPolicy({.lockedMemory = true});
  EXPECT_EQ(memoryIsLocked(), memoryLockRefusal().empty());
  munlockall();
}
#endif

TEST_F(ThreadPolicyTest, KeepsPacingThreadsOnTheirCore) {
  const std::vector<int> cores = threadPolicyNow().cores;
  ASSERT_FALSE(cores.empty());
  chooseThreadPolicy({.core = cores.back()});
  EXPECT_EQ(tryThreadPolicy(ThreadRole::Pacing).inForce.cores, std::vector<int>{cores.back()});
  EXPECT_EQ(tryThreadPolicy(ThreadRole::Background).inForce.cores, cores);
}

/** Policies of this process's threads of a name. */
std::vector<SystemPolicy> policiesOf(const std::string& name) {
  std::vector<SystemPolicy> policies;
  DIR* const folder = opendir("/proc/self/task");
  while (const dirent* entry = readdir(folder)) {
    std::ifstream file(std::string("/proc/self/task/") + entry->d_name + "/comm");
    std::string found;
    std::getline(file, found);
    if (found == name) policies.push_back(askKernel(std::atoi(entry->d_name)));
  }
  closedir(folder);
  return policies;
}

TEST_F(ThreadPolicyTest, IsThatOfASource) {
  chooseThreadPolicy({});
  const int expected = tryThreadPolicy(ThreadRole::Pacing).inForce.realTimePriority.value_or(0);
  const Source source(smallSource());
  EXPECT_TRUE(eventually([&] {
    const std::vector<SystemPolicy> found = policiesOf("wl-source");
    return found.size() == 1 && found[0].priority == expected && source.status().startNs != 0;
  }));
}

TEST_F(ThreadPolicyTest, IsThatOfADecodingThread) {
  chooseThreadPolicy({});
  const DecodePool pool(1);
  EXPECT_TRUE(eventually([&] {
    const std::vector<SystemPolicy> found = policiesOf("wl-decode");
    return found.size() == 1 && found[0].nice == before_.nice + 5;
  }));
}

/** Takes longer for a picture than the time between two slots, once it may begin. */
class SlowPictures : public PictureSource {
 public:
  explicit SlowPictures(const std::atomic<bool>& mayBegin) : mayBegin_(mayBegin) {}
  Readiness readiness() override { return mayBegin_ ? Readiness::Ready : Readiness::Waiting; }
  std::shared_ptr<Frame> next(uint64_t /*slot*/) override {
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
    return nullptr;
  }

 private:
  const std::atomic<bool>& mayBegin_;
};

TEST_F(ThreadPolicyTest, IsOrdinaryForASourceThatNeverSleepsToItsSchedule) {
  chooseThreadPolicy({});
  SourceOptions options = smallSource();
  options.rate = {1000, 1};
  std::atomic<bool> mayBegin{false};
  const Source source(options, [&](auto&&...) { return std::make_unique<SlowPictures>(mayBegin); });
  const auto scheduler = [] {
    const std::vector<SystemPolicy> found = policiesOf("wl-source");
    return found.size() == 1 ? found[0].scheduler : -1;
  };
  // Without the right to real-time priority it is ordinary from the start.
  if (mayRealTime()) {
    EXPECT_TRUE(eventually([&] { return scheduler() == (SCHED_FIFO | SCHED_RESET_ON_FORK); }));
  }
  mayBegin = true;
  EXPECT_TRUE(eventually([&] { return scheduler() == SCHED_OTHER; }));
}

}  // namespace
}  // namespace whiteline::test

#endif
