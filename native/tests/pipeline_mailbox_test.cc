#include <gtest/gtest.h>

#include <thread>

#include "native/media/pipeline/mailbox.h"
#include "native/tests/pipeline_fakes.h"

namespace whiteline::test {
namespace {

constexpr auto kNoPatience = std::chrono::milliseconds(0);
/** Longer than any machine stands still. */
constexpr int64_t kHourNs = 3'600'000'000'000;

FrameRef frameOf(uint64_t slot) {
  auto frame = std::make_shared<Frame>(320, 180, PixelFormat::Uyvy);
  frame->slot = slot;
  return frame;
}

int64_t inOneHour() {
  return monotonicNs() + kHourNs;
}
int64_t justPast() {
  return monotonicNs() - 1;
}

void expectMiss(const std::vector<MissRecord>& misses, size_t index, uint32_t frameNumber, MissCause cause) {
  ASSERT_GT(misses.size(), index);
  EXPECT_EQ(misses[index].frameNumber, frameNumber);
  EXPECT_EQ(misses[index].cause, cause);
}

TEST(Mailbox, aFrameIsClaimedOnceAndIsThenNoMiss) {
  Mailbox mailbox(16);
  mailbox.offer(frameOf(7), inOneHour());
  const auto claim = mailbox.claim(kNoPatience);
  ASSERT_TRUE(claim);
  EXPECT_EQ(claim->frame->slot, 7u);
  EXPECT_FALSE(mailbox.claim(kNoPatience));
  mailbox.endCall(monotonicNs());
  mailbox.settle();
  EXPECT_TRUE(drained(mailbox.misses()).empty());
}

TEST(Mailbox, aFrameWhoseDeadlineIsPastIsLeftToTheSource) {
  Mailbox mailbox(16);
  const int64_t deadlineNs = justPast();
  mailbox.offer(frameOf(7), deadlineNs);
  EXPECT_FALSE(mailbox.claim(kNoPatience));
  EXPECT_TRUE(drained(mailbox.misses()).empty());
  mailbox.offer(frameOf(8), inOneHour());
  const auto misses = drained(mailbox.misses());
  ASSERT_EQ(misses.size(), 1u);
  expectMiss(misses, 0, 7, MissCause::SenderLate);
  EXPECT_GE(misses[0].atNs, deadlineNs);
  EXPECT_TRUE(mailbox.claim(kNoPatience));
}

TEST(Mailbox, aMissDuringACallIsTheCalls) {
  Mailbox mailbox(16);
  mailbox.offer(frameOf(1), inOneHour());
  ASSERT_TRUE(mailbox.claim(kNoPatience));
  mailbox.offer(frameOf(2), justPast());
  mailbox.skip(3);
  const auto misses = drained(mailbox.misses());
  ASSERT_EQ(misses.size(), 2u);
  expectMiss(misses, 0, 2, MissCause::SendBlocked);
  expectMiss(misses, 1, 3, MissCause::SourceSkipped);
}

TEST(Mailbox, aCallThatReturnedAfterTheDeadlineIsBlamedToo) {
  Mailbox mailbox(16);
  mailbox.offer(frameOf(1), inOneHour());
  ASSERT_TRUE(mailbox.claim(kNoPatience));
  const int64_t deadlineNs = monotonicNs();
  mailbox.offer(frameOf(2), deadlineNs);
  mailbox.endCall(monotonicNs());
  mailbox.offer(frameOf(3), inOneHour());
  expectMiss(drained(mailbox.misses()), 0, 2, MissCause::SendBlocked);
}

TEST(Mailbox, aCallIsBlamedFromTheDeadlineOn) {
  const int64_t deadlineNs = monotonicNs();
  for (const int64_t afterNs : {-1, 0, 1}) {
    Mailbox mailbox(16);
    mailbox.endCall(deadlineNs + afterNs);
    mailbox.offer(frameOf(2), deadlineNs);
    mailbox.offer(frameOf(3), inOneHour());
    expectMiss(drained(mailbox.misses()), 0, 2, afterNs < 0 ? MissCause::SenderLate : MissCause::SendBlocked);
  }
}

TEST(Mailbox, aCallThatReturnedInTimeIsNotBlamed) {
  Mailbox mailbox(16);
  mailbox.offer(frameOf(1), inOneHour());
  ASSERT_TRUE(mailbox.claim(kNoPatience));
  mailbox.endCall(monotonicNs());
  mailbox.offer(frameOf(2), monotonicNs() + 1000);
  sleepUntilNs(monotonicNs() + 2000);
  mailbox.offer(frameOf(3), inOneHour());
  expectMiss(drained(mailbox.misses()), 0, 2, MissCause::SenderLate);
}

TEST(Mailbox, injectedMissesAreNeverClaimedAndOtherFaultsAreLeftToOthers) {
  Mailbox mailbox(16);
  mailbox.setFaults({{Fault::Verb::Miss, 1, 2}, {Fault::Verb::Skip, 3, 3}});
  for (uint64_t slot = 0; slot <= 4; ++slot) {
    mailbox.offer(frameOf(slot), inOneHour());
    const auto claim = mailbox.claim(kNoPatience);
    ASSERT_EQ(claim.has_value(), slot != 1 && slot != 2) << slot;
  }
  const auto misses = drained(mailbox.misses());
  ASSERT_EQ(misses.size(), 2u);
  expectMiss(misses, 0, 1, MissCause::Injected);
  expectMiss(misses, 1, 2, MissCause::Injected);
}

TEST(Mailbox, anInjectedMissIsInjectedAlsoWhereTheSourceWasLate) {
  Mailbox mailbox(16);
  mailbox.setFaults({{Fault::Verb::Miss, 1, 1}});
  mailbox.skip(1);
  mailbox.skip(2);
  const auto misses = drained(mailbox.misses());
  ASSERT_EQ(misses.size(), 2u);
  expectMiss(misses, 0, 1, MissCause::Injected);
  expectMiss(misses, 1, 2, MissCause::SourceSkipped);
}

TEST(Mailbox, faultsCountAcrossTheWrapOfFrameNumbers) {
  Mailbox mailbox(16);
  mailbox.setFaults({{Fault::Verb::Miss, 0xFFFFFFFF, 0}});
  for (const uint64_t slot : {0xFFFFFFFEull, 0xFFFFFFFFull, 0x100000000ull, 0x100000001ull}) {
    mailbox.offer(frameOf(slot), inOneHour());
    mailbox.claim(kNoPatience);
  }
  const auto misses = drained(mailbox.misses());
  ASSERT_EQ(misses.size(), 2u);
  expectMiss(misses, 0, 0xFFFFFFFF, MissCause::Injected);
  expectMiss(misses, 1, 0, MissCause::Injected);
}

TEST(Mailbox, settlingRecordsWhatLiesThereOnce) {
  Mailbox mailbox(16);
  mailbox.offer(frameOf(5), inOneHour());
  mailbox.settle();
  mailbox.settle();
  const auto misses = drained(mailbox.misses());
  ASSERT_EQ(misses.size(), 1u);
  expectMiss(misses, 0, 5, MissCause::SourceSkipped);
  EXPECT_FALSE(mailbox.claim(kNoPatience));
}

TEST(Mailbox, closingLetsTheLastFrameGoOutAndEndsTheWait) {
  Mailbox mailbox(16);
  std::thread waiting([&] { EXPECT_FALSE(mailbox.claim(std::chrono::seconds(60))); });
  mailbox.close();
  waiting.join();
  mailbox.offer(frameOf(1), inOneHour());
  EXPECT_TRUE(mailbox.claim(kNoPatience));
  EXPECT_FALSE(mailbox.claim(std::chrono::seconds(60)));
}

TEST(Mailbox, wakingEndsOneWait) {
  Mailbox mailbox(16);
  mailbox.wake();
  EXPECT_FALSE(mailbox.claim(std::chrono::seconds(60)));
  EXPECT_FALSE(mailbox.closed());
}

TEST(Mailbox, theFrameThatIsSettledGoesBack) {
  Mailbox mailbox(16);
  const FrameRef frame = frameOf(1);
  mailbox.offer(frame, inOneHour());
  EXPECT_EQ(frame.use_count(), 2);
  mailbox.settle();
  EXPECT_EQ(frame.use_count(), 1);
}

}  // namespace
}  // namespace whiteline::test
