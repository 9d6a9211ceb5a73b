#include <gtest/gtest.h>

#include <cstdint>
#include <ctime>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "native/base/platform/error.h"
#include "native/helpers/fanout/ipv4.h"
#include "native/helpers/fanout/measured_time.h"
#include "native/helpers/fanout/processor_time.h"
#include "native/helpers/fanout/round_trips.h"
#include "native/helpers/fanout/second_watch.h"
#include "native/helpers/fanout/settings.h"

namespace whiteline::fanout {
namespace {

using helpers::Command;

constexpr const char* kLine =
    R"({"type":"publish","domain":7,"topic":"t","run":"r","address":"10.0.0.1","isMulticast":true,)"
    R"("isReliable":true,"acknowledges":true,"keepMs":1000,"group":"239.255.0.9","groupPort":27700,)"
    R"("sampleBytes":128,"batchBytes":8192,"sendBufferBytes":100000,"receiveBufferBytes":8388608,)"
    R"("datagramBytes":1472,"subscribers":4,"isLatency":false})";

std::string with(const std::string& before, const std::string& after) {
  std::string line = kLine;
  const size_t at = line.find(before);
  EXPECT_NE(at, std::string::npos) << before;
  return line.replace(at, before.size(), after);
}

std::string refusalOf(const std::string& line) {
  try {
    settingsOf(Command::parse(line));
    return "";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), "BAD_INPUT");
    return error.what();
  }
}

TEST(FanoutSettings, AreThoseOfTheCommand) {
  const Settings settings = settingsOf(Command::parse(kLine));
  EXPECT_EQ(settings.domain, 7u);
  EXPECT_EQ(settings.samplesPerPayload, 64u);
  EXPECT_EQ(settings.payloadBytes(), 8192u);
  EXPECT_EQ(settings.groupPort, 27'700);
}

TEST(FanoutSettings, NameWhatCannotBe) {
  EXPECT_EQ(refusalOf(with(R"("domain":7)", R"("domain":233)")),
            "Expected a whole number from 0 to 232 for domain but received 233");
  EXPECT_EQ(refusalOf(with(R"("sampleBytes":128)", R"("sampleBytes":31)")),
            "Expected a whole number from 32 to 1048576 for sampleBytes but received 31");
  EXPECT_EQ(refusalOf(with(R"("sampleBytes":128)", R"("sampleBytes":128.5)")),
            "Expected a whole number from 32 to 1048576 for sampleBytes but received 128.500000");
  EXPECT_EQ(refusalOf(with(R"("address":"10.0.0.1")", R"("address":"10.0.0")")),
            "Expected an IPv4 address for address but received 10.0.0");
  EXPECT_EQ(refusalOf(with("239.255.0.9", "10.0.0.9")),
            "Expected a multicast address (224.0.0.0 to 239.255.255.255) for group but received 10.0.0.9");
  EXPECT_EQ(refusalOf(with(R"("sendBufferBytes":100000)", R"("sendBufferBytes":1000)")),
            "Expected a whole number from 1472 to 1073741824 for sendBufferBytes but received 1000");
  EXPECT_EQ(refusalOf(with(R"("isLatency":false)", R"("isLatency":true)")),
            "Expected 0 for batchBytes where latency is measured");
}

TEST(FanoutSettings, KnowAddresses) {
  for (const char* const wrong :
       {"", "1.2.3", "1.2.3.4.5", "1.2.3.256", "1.2.3.-4", "1.2.3.4 ", "a.b.c.d", "1..2.3"})
    EXPECT_FALSE(isIpv4(wrong)) << wrong;
  EXPECT_TRUE(isIpv4("255.255.255.255"));
  EXPECT_TRUE(isGroup("224.0.0.1"));
  EXPECT_TRUE(isGroup("239.255.255.255"));
  EXPECT_FALSE(isGroup("240.0.0.1"));
  EXPECT_FALSE(isGroup("10.0.0.1"));
  EXPECT_EQ(ipv4Text(0x7f000001), "127.0.0.1");
}

TEST(FanoutSettings, TakeMomentsAsText) {
  const MeasuredTime time =
      MeasuredTime::of(Command::parse(R"({"type":"begin","startNs":"9007199254740993","durationNs":5})"));
  EXPECT_EQ(time.startNs, 9'007'199'254'740'993);
  EXPECT_EQ(time.endNs(), 9'007'199'254'740'998);
  EXPECT_EQ(momentText(time.startNs), "9007199254740993");
  EXPECT_EQ(momentText(0), "");
}

#if defined(__linux__)
int64_t clockNs(clockid_t clock) {
  timespec now{};
  clock_gettime(clock, &now);
  return int64_t{now.tv_sec} * 1'000'000'000 + now.tv_nsec;
}

void workFor(int64_t processorNs) {
  const int64_t untilNs = clockNs(CLOCK_THREAD_CPUTIME_ID) + processorNs;
  while (clockNs(CLOCK_THREAD_CPUTIME_ID) < untilNs) {
  }
}

TEST(FanoutProcessorTime, IsThatFromBeginToEnd) {
  // More than the kernel may be behind with a thread's time.
  constexpr int64_t kBeforeNs = 200'000'000;
  workFor(kBeforeNs);
  ProcessorTime time;
  const int64_t beforeBeginNs = clockNs(CLOCK_PROCESS_CPUTIME_ID);
  time.begin();
  const int64_t afterBeginNs = clockNs(CLOCK_PROCESS_CPUTIME_ID);
  std::thread([] { workFor(1'000'000); }).join();
  const int64_t beforeEndNs = clockNs(CLOCK_PROCESS_CPUTIME_ID);
  const ProcessorTime::Used used = time.end();
  const int64_t afterEndNs = clockNs(CLOCK_PROCESS_CPUTIME_ID);
  EXPECT_GE(used.processorNs, beforeEndNs - afterBeginNs);
  EXPECT_LE(used.processorNs, afterEndNs - beforeBeginNs);
  EXPECT_LT(used.busiestThreadNs, afterEndNs - beforeBeginNs + kBeforeNs / 2);
}

TEST(FanoutSecondWatch, NamesEachSecondOnce) {
  MeasuredTime time;
  time.startNs = 1;
  time.durationNs = 3'500'000'000;
  std::vector<int64_t> seconds;
  // Long over: nothing is waited for.
  SecondWatch watch(time, [&](int64_t second) { seconds.push_back(second); });
  const SecondWatch::Seen seen = watch.finish();
  EXPECT_EQ(seconds, (std::vector<int64_t>{0, 1, 2}));
  EXPECT_EQ(seen.standstill.stoppedNs, 0);
  EXPECT_EQ(seen.standstill.starvedNs, 0);
}
#endif

TEST(FanoutRoundTrips, AreRankedBySubscriber) {
  RoundTrips roundTrips(2);
  for (const int64_t ns : {20, 2000, 40, 4000, 60}) {
    EXPECT_EQ(roundTrips.next(), ns < 100 ? 0u : 1u);
    roundTrips.add(ns);
  }
  roundTrips.add(std::nullopt);
  const RoundTrips::Figures first = roundTrips.figures(0);
  EXPECT_EQ(first.count, 3u);
  EXPECT_EQ(first.timedOut, 0u);
  EXPECT_EQ(first.minNs, 20);
  EXPECT_EQ(first.p50Ns, 40);
  EXPECT_EQ(first.p90Ns, 60);
  EXPECT_EQ(first.maxNs, 60);
  const RoundTrips::Figures second = roundTrips.figures(1);
  EXPECT_EQ(second.count, 2u);
  EXPECT_EQ(second.timedOut, 1u);
  const RoundTrips::Figures all = roundTrips.figures(std::nullopt);
  EXPECT_EQ(all.count, 5u);
  EXPECT_EQ(all.p50Ns, 60);
  EXPECT_EQ(all.p9999Ns, 4000);
}

TEST(FanoutRoundTrips, HaveNoFiguresOfNone) {
  const RoundTrips::Figures none = RoundTrips(3).figures(1);
  EXPECT_EQ(none.count, 0u);
  EXPECT_EQ(none.maxNs, 0);
}

}  // namespace
}  // namespace whiteline::fanout
