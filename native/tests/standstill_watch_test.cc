#include "native/base/pacing/standstill_watch.h"

#include <gtest/gtest.h>

#include <chrono>
#include <thread>
#include <vector>

#include "native/base/pacing/clock.h"
#include "native/base/pacing/time_units.h"
#include "native/base/platform/stolen_time.h"
#include "native/base/platform/thread_time.h"

#if defined(__linux__)
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>
#endif

namespace whiteline::test {
namespace {

#if defined(__linux__)
TEST(StolenTime, IsKnownAndNeverFalls) {
  const std::optional<int64_t> before = stolenTimeNs();
  ASSERT_TRUE(before);
  EXPECT_GE(*stolenTimeNs(), *before);
}
#endif

TEST(StandstillTime, CountsWhatLiesWithinTheTime) {
  using enum Standstill::Kind;
  StandstillTime time;
  const std::vector<Standstill> found = {{Stopped, 100, 200},
                                         {Starved, 300, 360},
                                         {Stopped, 900, 1200},
                                         {Starved, 0, 90},
                                         {Stopped, 1000, 1500}};
  time.add(found, 150, 1000);
  EXPECT_EQ(time.stoppedNs, 50 + 100);
  EXPECT_EQ(time.starvedNs, 60);
  time.add({{Starved, 0, 2000}}, 150, 1000);
  EXPECT_EQ(time.starvedNs, 60 + 850);
}

TEST(StandstillRecords, GiveEachStandstillOnce) {
  StandstillRecords records(INT64_MAX);
  const Standstill one{Standstill::Kind::Stopped, 100, 200};
  const Standstill other{Standstill::Kind::Starved, 300, 400};
  records.woke({one}, INT64_MAX);
  records.woke({}, INT64_MAX);
  records.woke({other}, INT64_MAX);
  EXPECT_EQ(records.drain(), (std::vector<Standstill>{one, other}));
  EXPECT_TRUE(records.drain().empty());
}

TEST(StandstillRecords, AddUpWhatNobodyTakes) {
  using enum Standstill::Kind;
  StandstillRecords records(INT64_MAX);
  constexpr int64_t kEach = 4000;
  for (int64_t at = 0; at < kEach; ++at) {
    records.woke({{Stopped, 100 * at, 100 * at + 10}}, INT64_MAX);
    records.woke({{Starved, 100 * at + 50, 100 * at + 53}}, INT64_MAX);
  }
  const std::vector<Standstill> found = records.drain();
  EXPECT_EQ(found.size(), 1000u);
  StandstillTime time;
  time.add(found, 0, INT64_MAX);
  EXPECT_EQ(time.stoppedNs, 10 * kEach);
  EXPECT_EQ(time.starvedNs, 3 * kEach);
}

TEST(StandstillRecords, WaitForOneThatLasts) {
  // The thread that looks should have run long ago.
  StandstillRecords records(monotonicNs() - kNsPerSecond, std::chrono::hours(1));
  const Standstill lasting{Standstill::Kind::Stopped, 100, 200};
  std::vector<Standstill> found;
  std::thread owner([&] { found = records.drain(); });
  records.woke({lasting}, INT64_MAX);
  owner.join();
  EXPECT_EQ(found, std::vector<Standstill>{lasting});
}

TEST(StandstillRecords, KeepOneWholeThatLastsTooLong) {
  StandstillRecords records(monotonicNs() - kNsPerSecond, std::chrono::nanoseconds(1));
  EXPECT_TRUE(records.drain().empty());
  const Standstill lasting{Standstill::Kind::Stopped, 100, 200};
  records.woke({lasting}, INT64_MAX);
  EXPECT_EQ(records.drain(), std::vector<Standstill>{lasting});
}

TEST(StandstillRecords, EndTheSleep) {
  StandstillRecords records(INT64_MAX);
  records.end();
  EXPECT_FALSE(records.sleep());
  // One that lasts then is the thread's last word.
  records.woke({{Standstill::Kind::Stopped, 100, 200}}, 0);
  EXPECT_EQ(records.drain().size(), 1u);
}

#if defined(__linux__)

/** Hands each standstill of this process to the pipe, until it is killed. */
[[noreturn]] void reportStandstills(int pipe) {
  StandstillWatch watch;
  const Standstill begun{};
  if (write(pipe, &begun, sizeof begun) < 0) _exit(1);
  while (true) {
    for (const Standstill& found : watch.drain())
      if (write(pipe, &found, sizeof found) < 0) _exit(1);
    sleepUntilNs(monotonicNs() + kNsPerMs);
  }
}

Standstill readStandstill(int pipe) {
  Standstill found{};
  EXPECT_EQ(read(pipe, &found, sizeof found), static_cast<ssize_t>(sizeof found));
  return found;
}

/** A process of its own that reports its standstills, until this ends. */
class WatchedProcess {
 public:
  WatchedProcess() {
    EXPECT_EQ(pipe(ends_), 0);
    child_ = fork();
    EXPECT_GE(child_, 0);
    if (child_ == 0) reportStandstills(ends_[1]);
    read();
  }
  ~WatchedProcess() {
    kill(child_, SIGKILL);
    EXPECT_EQ(waitpid(child_, nullptr, 0), child_);
    close(ends_[0]);
    close(ends_[1]);
  }

  Standstill read() {
    Standstill found{};
    EXPECT_EQ(::read(ends_[0], &found, sizeof found), static_cast<ssize_t>(sizeof found));
    return found;
  }

  /** The time in which it stood still for sure. */
  Standstill stopFor(int64_t ns) {
    kill(child_, SIGSTOP);
    int status = 0;
    EXPECT_EQ(waitpid(child_, &status, WUNTRACED), child_);
    EXPECT_TRUE(WIFSTOPPED(status));
    const int64_t stoppedNs = monotonicNs();
    sleepUntilNs(stoppedNs + ns);
    const int64_t continuedNs = monotonicNs();
    kill(child_, SIGCONT);
    return {Standstill::Kind::Stopped, stoppedNs, continuedNs};
  }

 private:
  int ends_[2];
  pid_t child_;
};

/** What a process says of half a second in which it was stopped: one piece, whatever else held it up. */
Standstill standstillOfAStop() {
  WatchedProcess process;
  const Standstill stop = process.stopFor(500 * kNsPerMs);
  Standstill found = process.read();
  // A busy machine may have starved it before.
  while (found.toNs < stop.toNs) found = process.read();
  // In one piece: it begins when the thread was to wake next, and ends when it did.
  EXPECT_LE(found.fromNs, stop.fromNs + kStandstillLookNs);
  EXPECT_GE(found.toNs, stop.toNs);
  return found;
}

TEST(StandstillWatch, FindsThatItsProcessWasStopped) {
  standstillOfAStop();
}

TEST(StandstillWatch, AddsUpStopsThatAreShort) {
  WatchedProcess process;
  int64_t stoppedNs = 0;
  std::vector<Standstill> stops;
  for (int index = 0; index < 30; ++index) {
    stops.push_back(process.stopFor(45 * kNsPerMs));
    stoppedNs += stops.back().lengthNs();
    sleepUntilNs(stops.back().toNs + 15 * kNsPerMs);
  }
  // A last one that is reported at once, and after all before it.
  const Standstill last = process.stopFor(500 * kNsPerMs);
  int64_t foundNs = 0;
  for (Standstill found = process.read(); found.toNs < last.toNs; found = process.read())
    foundNs += found.lengthNs();
  // What remains of a sleep when a stop begins is not seen, nor all of the first ones.
  EXPECT_GT(foundNs, stoppedNs / 2);
}

// It may wait for a processor for longer than it was stopped.
TEST(StandstillWatch, SaysThatItWasAStopOnQuietMachine) {
  EXPECT_EQ(standstillOfAStop().kind, threadTime() ? Standstill::Kind::Stopped : Standstill::Kind::Starved);
}

#endif

}  // namespace
}  // namespace whiteline::test
