#include "native/media/pipeline/time_asker.h"

#include <gtest/gtest.h>

#include "native/tests/pipeline_fake_input.h"

namespace whiteline::test {
namespace {

constexpr int64_t kIntervalNs = 50'000'000;

/** Asks 20 times a second, in a time of its own. */
class TimeAskerTest : public testing::Test {
 protected:
  TimeAskerTest() { asker.setRate(20); }

  void ask(int questions) {
    for (int question = 0; question < questions; ++question) {
      nowNs += kIntervalNs;
      asker.askWhenDue(input, nowNs);
    }
  }
  /** The sender's answer to the newest question. */
  void answer() {
    const TimeQuestion question = wire.allQuestions().back();
    asker.take({question.id, question.askedUs, 1, 2}, nowNs);
  }
  bool isWaiting() const { return asker.isWaiting(nowNs); }

  Wire wire;
  FakeInput input{wire};
  RecordRing<TimeRecord> ring{64};
  TimeAsker asker{ring, 0};
  int64_t nowNs = 0;
};

TEST_F(TimeAskerTest, waitsUntilTheAnswerOrNoLongerThanOneTakes) {
  EXPECT_FALSE(isWaiting());
  ask(1);
  EXPECT_TRUE(isWaiting());
  EXPECT_TRUE(asker.isWaiting(nowNs + 199'999'999));
  EXPECT_FALSE(asker.isWaiting(nowNs + 200'000'000));
  answer();
  EXPECT_FALSE(isWaiting());
  EXPECT_EQ(ring.size(), 1u);
}

TEST_F(TimeAskerTest, expectsNothingOfWhoNeverAnswersButGoesOnAsking) {
  ask(10);
  EXPECT_TRUE(isWaiting());
  ask(1);
  EXPECT_FALSE(isWaiting());
  ask(100);
  EXPECT_FALSE(isWaiting());
  EXPECT_EQ(wire.allQuestions().size(), 111u);
  answer();
  EXPECT_EQ(ring.size(), 1u);
  ask(1);
  EXPECT_TRUE(isWaiting());
}

TEST_F(TimeAskerTest, whatWasNeverSentIsNotWaitedFor) {
  wire.isConnected = false;
  ask(100);
  EXPECT_FALSE(isWaiting());
  wire.isConnected = true;
  ask(1);
  EXPECT_TRUE(isWaiting());
  // Another sender may be there now, which does answer.
  ask(20);
  EXPECT_FALSE(isWaiting());
  wire.isConnected = false;
  ask(1);
  wire.isConnected = true;
  ask(1);
  EXPECT_TRUE(isWaiting());
}

TEST_F(TimeAskerTest, anotherReceiversAnswerIsNotCounted) {
  ask(1);
  const TimeQuestion question = wire.allQuestions().back();
  asker.take({question.id + 1, question.askedUs, 1, 2}, nowNs);
  EXPECT_TRUE(isWaiting());
  EXPECT_EQ(ring.size(), 0u);
}

}  // namespace
}  // namespace whiteline::test
