#include "native/base/pacing/wake_moment.h"

#include <gtest/gtest.h>

#include <vector>

#include "native/base/pacing/time_units.h"

namespace whiteline::test {
namespace {

/** A machine whose clock goes on only where the thread waits for its processor. */
struct MadeUpMachine {
  int64_t nowNs = kNsPerSecond;
  int64_t queuedNs = 0;
  /** The waits in front of the coming readings of the waiting time, last first. */
  std::vector<int64_t> waitsNs;

  void wait(int64_t forNs) {
    nowNs += forNs;
    queuedNs += forNs;
  }

  WakeMoment read(int64_t dueNs) {
    const auto queuedTime = [&] {
      if (!waitsNs.empty()) {
        wait(waitsNs.back());
        waitsNs.pop_back();
      }
      return std::optional(queuedNs);
    };
    return readWakeMoment(
        dueNs, [&] { return nowNs; }, queuedTime, [](int64_t, bool) -> int64_t { return 0; });
  }
};

TEST(WakeMoment, OfAWaitBetweenItsReadingsIsWhole) {
  MadeUpMachine machine;
  const int64_t dueNs = machine.nowNs;
  machine.wait(20 * kNsPerMs);
  machine.waitsNs = {900 * kNsPerMs};
  const WakeMoment moment = machine.read(dueNs);
  EXPECT_EQ(moment.wokeNs, dueNs + 920 * kNsPerMs);
  EXPECT_EQ(moment.queuedNs, 920 * kNsPerMs);
  const std::optional<Standstill> found = standstillOf({dueNs, moment.wokeNs, 0, moment.queuedNs});
  ASSERT_TRUE(found);
  EXPECT_EQ(found->kind, Standstill::Kind::Starved);
}

TEST(WakeMoment, IsReadFourTimesAtMost) {
  MadeUpMachine machine;
  machine.waitsNs.assign(5, 3 * kNsPerMs);
  const WakeMoment moment = machine.read(kNsPerSecond);
  EXPECT_EQ(moment.wokeNs, kNsPerSecond + 9 * kNsPerMs);
  EXPECT_EQ(machine.waitsNs.size(), 1U);
}

}  // namespace
}  // namespace whiteline::test
