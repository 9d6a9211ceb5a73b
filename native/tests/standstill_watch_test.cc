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

constexpr int64_t kDueNs = 7 * kNsPerSecond;

/** Of a thread that had waited 3 s for processors before it slept. */
std::optional<Standstill> foundIn(int64_t lateNs, std::optional<int64_t> queuedMeanwhileNs) {
  constexpr int64_t kBeforeNs = 3 * kNsPerSecond;
  std::optional<int64_t> afterNs;
  if (queuedMeanwhileNs) afterNs = kBeforeNs + *queuedMeanwhileNs;
  return standstillOf({kDueNs, kDueNs + lateNs, kBeforeNs, afterNs});
}

TEST(Standstill, IsFromWhenItWasDueUntilItWoke) {
  const std::optional<Standstill> found = foundIn(800 * kNsPerMs, 0);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->fromNs, kDueNs);
  EXPECT_EQ(found->toNs, kDueNs + 800 * kNsPerMs);
  EXPECT_EQ(found->lengthNs(), 800 * kNsPerMs);
}

TEST(Standstill, IsNoneBelow50Ms) {
  EXPECT_FALSE(foundIn(0, 0));
  EXPECT_FALSE(foundIn(50 * kNsPerMs - 1, 0));
  EXPECT_TRUE(foundIn(50 * kNsPerMs, 0));
  // It was ended before it was due.
  EXPECT_FALSE(foundIn(-20 * kNsPerMs, 0));
}

TEST(Standstill, IsOfTheKindThatTookTheLargerPart) {
  using enum Standstill::Kind;
  EXPECT_EQ(foundIn(100 * kNsPerMs, 0)->kind, Stopped);
  EXPECT_EQ(foundIn(100 * kNsPerMs, 49 * kNsPerMs)->kind, Stopped);
  EXPECT_EQ(foundIn(100 * kNsPerMs, 50 * kNsPerMs)->kind, Starved);
  EXPECT_EQ(foundIn(100 * kNsPerMs, 100 * kNsPerMs)->kind, Starved);
  // It waited before it was to sleep, too.
  EXPECT_EQ(foundIn(100 * kNsPerMs, 160 * kNsPerMs)->kind, Starved);
}

TEST(Standstill, IsStarvedWhereTheSystemDoesNotSay) {
  EXPECT_EQ(foundIn(100 * kNsPerMs, std::nullopt)->kind, Standstill::Kind::Starved);
  EXPECT_EQ(standstillOf({kDueNs, kDueNs + 100 * kNsPerMs, std::nullopt, 0})->kind,
            Standstill::Kind::Starved);
}

TEST(Standstill, IsStarvedWhereTheHypervisorTookTheProcessor) {
  const auto kindOf = [](int64_t queuedNs, int64_t stolenNs) {
    return standstillOf({kDueNs, kDueNs + 100 * kNsPerMs, 0, queuedNs, stolenNs})->kind;
  };
  EXPECT_EQ(kindOf(0, 40 * kNsPerMs), Standstill::Kind::Stopped);
  EXPECT_EQ(kindOf(0, 50 * kNsPerMs), Standstill::Kind::Starved);
  EXPECT_EQ(kindOf(20 * kNsPerMs, 30 * kNsPerMs), Standstill::Kind::Starved);
  // Of two processors.
  EXPECT_EQ(kindOf(0, 180 * kNsPerMs), Standstill::Kind::Starved);
}

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
  records.woke(one, INT64_MAX);
  records.woke(std::nullopt, INT64_MAX);
  records.woke(other, INT64_MAX);
  EXPECT_EQ(records.drain(), (std::vector<Standstill>{one, other}));
  EXPECT_TRUE(records.drain().empty());
}

TEST(StandstillRecords, AddUpWhatNobodyTakes) {
  using enum Standstill::Kind;
  StandstillRecords records(INT64_MAX);
  constexpr int64_t kEach = 4000;
  for (int64_t at = 0; at < kEach; ++at) {
    records.woke(Standstill{Stopped, 100 * at, 100 * at + 10}, INT64_MAX);
    records.woke(Standstill{Starved, 100 * at + 50, 100 * at + 53}, INT64_MAX);
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
  records.woke(lasting, INT64_MAX);
  owner.join();
  EXPECT_EQ(found, std::vector<Standstill>{lasting});
}

TEST(StandstillRecords, KeepOneWholeThatLastsTooLong) {
  StandstillRecords records(monotonicNs() - kNsPerSecond, std::chrono::nanoseconds(1));
  EXPECT_TRUE(records.drain().empty());
  const Standstill lasting{Standstill::Kind::Stopped, 100, 200};
  records.woke(lasting, INT64_MAX);
  EXPECT_EQ(records.drain(), std::vector<Standstill>{lasting});
}

TEST(StandstillRecords, EndTheSleep) {
  StandstillRecords records(INT64_MAX);
  records.end();
  EXPECT_FALSE(records.sleep());
  // One that lasts then is the thread's last word.
  records.woke(Standstill{Standstill::Kind::Stopped, 100, 200}, 0);
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

/** What a process says of half a second in which it was stopped: one piece, whatever else held it up. */
Standstill standstillOfAStop() {
  int ends[2];
  EXPECT_EQ(pipe(ends), 0);
  const pid_t child = fork();
  EXPECT_GE(child, 0);
  if (child == 0) reportStandstills(ends[1]);
  readStandstill(ends[0]);
  const int64_t beforeNs = monotonicNs();
  kill(child, SIGSTOP);
  int status = 0;
  EXPECT_EQ(waitpid(child, &status, WUNTRACED), child);
  EXPECT_TRUE(WIFSTOPPED(status));
  const int64_t stoppedNs = monotonicNs();
  sleepUntilNs(stoppedNs + 500 * kNsPerMs);
  const int64_t continuedNs = monotonicNs();
  kill(child, SIGCONT);
  Standstill found = readStandstill(ends[0]);
  // A busy machine may have starved it before.
  while (found.toNs < continuedNs) found = readStandstill(ends[0]);
  // In one piece: it begins when the thread was to wake next, and ends when it did.
  EXPECT_LE(found.fromNs, stoppedNs + kStandstillLookNs);
  EXPECT_GE(found.toNs, continuedNs);
  EXPECT_GT(found.toNs, beforeNs + 500 * kNsPerMs);
  kill(child, SIGKILL);
  EXPECT_EQ(waitpid(child, &status, 0), child);
  close(ends[0]);
  close(ends[1]);
  return found;
}

TEST(StandstillWatch, FindsThatItsProcessWasStopped) {
  standstillOfAStop();
}

// It may wait for a processor for longer than it was stopped.
TEST(StandstillWatch, SaysThatItWasAStopOnQuietMachine) {
  EXPECT_EQ(standstillOfAStop().kind, threadTime() ? Standstill::Kind::Stopped : Standstill::Kind::Starved);
}

#endif

}  // namespace
}  // namespace whiteline::test
