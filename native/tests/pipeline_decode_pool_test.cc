#include <gtest/gtest.h>

#include <functional>

#include "native/media/pipeline/decode_pool.h"
#include "native/tests/pipeline_fake_movie.h"
#include "native/tests/pipeline_fakes.h"

namespace whiteline::test {
namespace {

/** Writes down what becomes of it. */
struct NotedTask final : DecodeTask {
  NotedTask(std::string taskName, std::vector<std::string>& notes, std::mutex& notesMutex)
      : name(std::move(taskName)), log(notes), mutex(notesMutex) {}

  void decode(HapFrameDecoder&) noexcept override { note(name); }
  void drop() noexcept override { note("dropped " + name); }
  void note(const std::string& text) {
    const std::lock_guard lock(mutex);
    log.push_back(text);
  }

  std::string name;
  std::vector<std::string>& log;
  std::mutex& mutex;
};

struct BlockingTask final : DecodeTask {
  void decode(HapFrameDecoder&) noexcept override {
    gate.pass();
    ended = true;
  }
  void drop() noexcept override {}

  Gate gate;
  std::atomic<bool> ended{false};
};

class DecodePoolTest : public testing::Test {
 protected:
  NotedTask task(const std::string& name) { return {name, notes_, mutex_}; }
  std::vector<std::string> notes() {
    const std::lock_guard lock(mutex_);
    return notes_;
  }

  std::vector<std::string> notes_;
  std::mutex mutex_;
};

TEST_F(DecodePoolTest, whatIsDueFirstComesFirst) {
  DecodePool pool(1);
  BlockingTask blocking;
  NotedTask late = task("late"), early = task("early"), middle = task("middle"), twin = task("twin");
  pool.submit(blocking, 0, INT64_MAX);
  blocking.gate.waitForArrivals(1);
  pool.submit(late, 300, INT64_MAX);
  pool.submit(early, 100, INT64_MAX);
  pool.submit(middle, 200, INT64_MAX);
  pool.submit(twin, 200, INT64_MAX);
  blocking.gate.open();
  ASSERT_TRUE(eventually([&] { return notes().size() == 4; }));
  EXPECT_EQ(notes(), (std::vector<std::string>{"early", "middle", "twin", "late"}));
  for (NotedTask* each : {&late, &early, &middle, &twin}) pool.withdraw(*each);
  pool.withdraw(blocking);
}

TEST_F(DecodePoolTest, aTaskThatCannotBeInTimeIsDroppedUndone) {
  DecodePool pool(1);
  NotedTask late = task("late"), good = task("good");
  const int64_t nowNs = monotonicNs();
  pool.submit(late, nowNs, nowNs - 1);
  pool.submit(good, nowNs + 60'000'000'000, nowNs + 60'000'000'000);
  ASSERT_TRUE(eventually([&] { return notes().size() == 2; }));
  EXPECT_EQ(notes(), (std::vector<std::string>{"dropped late", "good"}));
  pool.withdraw(late);
  pool.withdraw(good);
}

TEST_F(DecodePoolTest, aTaskWithdrawnInTheQueueIsNeverCalled) {
  DecodePool pool(1);
  BlockingTask blocking;
  NotedTask withdrawn = task("withdrawn"), other = task("other");
  pool.submit(blocking, 0, INT64_MAX);
  blocking.gate.waitForArrivals(1);
  pool.submit(withdrawn, 1, INT64_MAX);
  pool.submit(other, 2, INT64_MAX);
  pool.withdraw(withdrawn);
  blocking.gate.open();
  ASSERT_TRUE(eventually([&] { return !notes().empty(); }));
  EXPECT_EQ(notes(), (std::vector<std::string>{"other"}));
  pool.withdraw(other);
  pool.withdraw(blocking);
}

TEST_F(DecodePoolTest, withdrawingARunningTaskWaitsForItsEnd) {
  DecodePool pool(2);
  BlockingTask blocking;
  pool.submit(blocking, 0, INT64_MAX);
  blocking.gate.waitForArrivals(1);
  std::atomic<bool> withdrawn{false};
  bool endedBefore = false;
  std::thread thread([&] {
    pool.withdraw(blocking);
    endedBefore = blocking.ended;
    withdrawn = true;
  });
  std::this_thread::sleep_for(std::chrono::milliseconds(30));
  EXPECT_FALSE(withdrawn);
  blocking.gate.open();
  thread.join();
  EXPECT_TRUE(endedBefore);
}

TEST_F(DecodePoolTest, allItsWorkersWorkAtOnce) {
  DecodePool pool(3);
  BlockingTask tasks[3];
  for (BlockingTask& each : tasks) pool.submit(each, 0, INT64_MAX);
  for (BlockingTask& each : tasks) each.gate.waitForArrivals(1);
  for (BlockingTask& each : tasks) each.gate.open();
  for (BlockingTask& each : tasks) pool.withdraw(each);
  EXPECT_EQ(pool.workers(), 3u);
}

TEST_F(DecodePoolTest, theProcessHasOneAndLetsItGoWithItsLastSource) {
  std::weak_ptr<DecodePool> watched;
  {
    const std::shared_ptr<DecodePool> one = DecodePool::ofProcess();
    EXPECT_EQ(DecodePool::ofProcess(), one);
    EXPECT_GE(one->workers(), DecodePool::kFewestWorkers);
    EXPECT_LE(one->workers(), DecodePool::kMostWorkers);
    watched = one;
  }
  EXPECT_TRUE(watched.expired());
}

}  // namespace
}  // namespace whiteline::test
