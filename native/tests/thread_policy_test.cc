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
#include <functional>
#include <future>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "native/base/platform/real_time_watch.h"
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
  /** As many steps back from where these tests were started. */
  int niceAfter(int steps) const { return std::min(before_.nice + steps, 19); }
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
  EXPECT_EQ(background.nice, niceAfter(5));
  EXPECT_EQ(background.slackNs, before_.slackNs);
  EXPECT_EQ(onThreadAs(ThreadRole::Looking).nice, niceAfter(10));
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

/** From the calling thread, and from those that it starts. */
void dropRights() {
  __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
  const __user_cap_data_struct none[_LINUX_CAPABILITY_U32S_3]{};
  EXPECT_EQ(syscall(SYS_capset, &header, none), 0);
}

/** The scheduler without the flag that what a thread starts is ordinary: to clear it needs a right. */
int schedulerOf(const SystemPolicy& policy) {
  return policy.scheduler & ~SCHED_RESET_ON_FORK;
}

TEST_F(ThreadPolicyTest, RealTimePriorityCanBeLeftWithoutARight) {
  chooseThreadPolicy({});
  const bool may = mayRealTime();
  for (const int stepsBack : {0, 5}) {
    std::async(std::launch::async, [&] {
      setpriority(PRIO_PROCESS, 0, niceAfter(stepsBack));
      adoptThreadPolicy(ThreadRole::Pacing);
      // As with RLIMIT_RTPRIO alone.
      dropRights();
      const std::optional<std::error_code> left = leaveRealTime();
      EXPECT_EQ(left.has_value(), may);
      EXPECT_FALSE(left.value_or(std::error_code())) << left->message();
      const SystemPolicy now = askKernel(gettid());
      EXPECT_EQ(schedulerOf(now), SCHED_OTHER);
      EXPECT_EQ(now.priority, 0);
      EXPECT_EQ(now.slackNs, 1);
      EXPECT_EQ(now.nice, niceAfter(stepsBack));
    }).get();
  }
}

/** Takes every right from the calling thread; limits go down for all threads. */
class WithoutRights {
 public:
  WithoutRights() {
    dropRights();
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
    return found.size() == 1 && found[0].nice == niceAfter(5);
  }));
}

/** −1: there is none of this name, or several. */
int schedulerOfThread(const std::string& name) {
  const std::vector<SystemPolicy> found = policiesOf(name);
  return found.size() == 1 ? schedulerOf(found[0]) : -1;
}

const std::string kRealTimeLeft =
    "hardly slept for 0.5 s, so it runs without real-time priority from then on";

void workFor(std::chrono::milliseconds time) {
  const auto end = std::chrono::steady_clock::now() + time;
  while (std::chrono::steady_clock::now() < end) continue;
}

/** Takes longer for a picture than the time between two slots, once it may begin. */
class SlowPictures : public PictureSource {
 public:
  explicit SlowPictures(const std::atomic<bool>& mayBegin) : mayBegin_(mayBegin) {}
  Readiness readiness() override { return mayBegin_ ? Readiness::Ready : Readiness::Waiting; }
  std::shared_ptr<Frame> next(uint64_t slot) override {
    if (slot == 0) dropRights();
    workFor(std::chrono::milliseconds(2));
    return nullptr;
  }

 private:
  const std::atomic<bool>& mayBegin_;
};

TEST_F(ThreadPolicyTest, IsOrdinaryForASourceThatCannotKeepUp) {
  chooseThreadPolicy({});
  SourceOptions options = smallSource();
  options.rate = {1000, 1};
  std::atomic<bool> mayBegin{false};
  const Source source(options, [&](auto&&...) { return std::make_unique<SlowPictures>(mayBegin); });
  // Without the right to real-time priority it is ordinary from the start.
  const bool may = mayRealTime();
  if (may) {
    EXPECT_TRUE(eventually([] { return schedulerOfThread("wl-source") == SCHED_FIFO; }));
  }
  EXPECT_EQ(source.status().realTimeFinding, "");
  mayBegin = true;
  EXPECT_TRUE(eventually([] { return schedulerOfThread("wl-source") == SCHED_OTHER; }));
  if (may) {
    EXPECT_TRUE(eventually([&] { return source.status().realTimeFinding == kRealTimeLeft; }));
  }
}

TEST_F(ThreadPolicyTest, IsOrdinaryForASenderThatCannotKeepUp) {
  chooseThreadPolicy({});
  const bool may = mayRealTime();
  SentFrames sent;
  std::atomic<bool> mayBegin{false};
  auto output = std::make_unique<FakeOutput>(sent, [&](uint64_t) {
    if (!mayBegin) return;
    dropRights();
    workFor(std::chrono::milliseconds(20));
  });
  const SenderStream sender(std::make_shared<Source>(smallSource()), std::move(output), 1);
  if (may) {
    EXPECT_TRUE(eventually([] { return schedulerOfThread("wl-sender") == SCHED_FIFO; }));
  }
  EXPECT_EQ(sender.realTimeFinding(), "");
  mayBegin = true;
  EXPECT_TRUE(eventually([] { return schedulerOfThread("wl-sender") == SCHED_OTHER; }));
  if (may) {
    EXPECT_TRUE(eventually([&] { return sender.realTimeFinding() == kRealTimeLeft; }));
  }
}

TEST(RealTimeWatch, FindsAThreadThatHardlySleepsAndNoneThatWaits) {
  constexpr int64_t kMs = 1'000'000;
  SleepWatch watch;
  EXPECT_TRUE(watch.isDue(7'000 * kMs));
  // What was before the first look is not known.
  EXPECT_FALSE(watch.hardlySleeps(7'000 * kMs, 6'999 * kMs));
  EXPECT_FALSE(watch.isDue(7'499 * kMs));
  EXPECT_TRUE(watch.isDue(7'500 * kMs));
  EXPECT_FALSE(watch.hardlySleeps(7'500 * kMs, (6'999 + 450) * kMs));
  EXPECT_TRUE(watch.hardlySleeps(8'000 * kMs, (6'999 + 450 + 451) * kMs));
  // Ten seconds inside a call that waits.
  EXPECT_FALSE(watch.hardlySleeps(18'000 * kMs, (6'999 + 450 + 451 + 1) * kMs));
}

TEST(RealTimeWatch, KnowsHowLongAThreadSleepsOnQuietMachine) {
  std::async(std::launch::async, [] {
    const auto busyShare = [](const std::function<void()>& work) {
      const int64_t beganNs = monotonicNs();
      const int64_t before = runnableTimeNs().value();
      work();
      const int64_t runnable = runnableTimeNs().value() - before;
      return static_cast<double>(runnable) / static_cast<double>(monotonicNs() - beganNs);
    };
    EXPECT_GT(busyShare([] { workFor(std::chrono::milliseconds(200)); }), 0.9);
    EXPECT_LT(busyShare([] { std::this_thread::sleep_for(std::chrono::milliseconds(200)); }), 0.5);
  }).get();
}

}  // namespace
}  // namespace whiteline::test

#endif
