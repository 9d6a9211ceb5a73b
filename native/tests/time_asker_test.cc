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

  Wire wire;
  FakeInput input{wire};
  RecordRing<TimeRecord> ring{64};
  TimeAsker asker{ring, 0};
  int64_t nowNs = 0;
};

TEST_F(TimeAskerTest, asksWhenAQuestionIsDueAndGoesOnThoughNoneIsAnswered) {
  ask(1);
  asker.askWhenDue(input, nowNs + kIntervalNs - 1);
  EXPECT_EQ(wire.allQuestions().size(), 1u);
  ask(110);
  EXPECT_EQ(wire.allQuestions().size(), 111u);
  answer();
  EXPECT_EQ(ring.size(), 1u);
}

TEST_F(TimeAskerTest, anotherReceiversAnswerIsNotCounted) {
  ask(1);
  const TimeQuestion question = wire.allQuestions().back();
  asker.take({question.id + 1, question.askedUs, 1, 2}, nowNs);
  EXPECT_EQ(ring.size(), 0u);
}

}  // namespace
}  // namespace whiteline::test
