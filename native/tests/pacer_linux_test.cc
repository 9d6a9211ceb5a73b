#include <gtest/gtest.h>

#if defined(__linux__)

#include <algorithm>
#include <cmath>
#include <ctime>
#include <string>
#include <system_error>
#include <vector>

#include "native/base/platform/error.h"
#include "native/helpers/pacer/clocks.h"
#include "native/helpers/pacer/irregularities.h"
#include "native/helpers/pacer/network_card.h"
#include "native/helpers/pacer/packet_socket.h"
#include "native/helpers/pacer/receiver.h"
#include "native/helpers/pacer/reports.h"
#include "native/helpers/pacer/stolen_time.h"

namespace whiteline::pacer {
namespace {

using Bytes = std::vector<uint8_t>;

Bytes operator+(const Bytes& one, const Bytes& other) {
  Bytes both = one;
  both.insert(both.end(), other.begin(), other.end());
  return both;
}

/** As processors of ours write numbers. */
Bytes number(uint64_t value, size_t size) {
  Bytes bytes;
  for (size_t index = 0; index < size; ++index) bytes.push_back(static_cast<uint8_t>(value >> (8 * index)));
  return bytes;
}

TEST(PacerLaunch, TheControlMessageIsByteForByteThatOfScmTxtime) {
  LaunchMessage message;
  message.setLaunchNs(0x1122334455667788);
  const auto bytes = message.bytes();
  // cmsg_len 24, SOL_SOCKET, SCM_TXTIME, the time.
  EXPECT_EQ(Bytes(bytes.begin(), bytes.end()),
            (Bytes{0x18, 0, 0, 0, 0,    0,    0,    0,    1,    0,    0,    0,
                   61,   0, 0, 0, 0x88, 0x77, 0x66, 0x55, 0x44, 0x33, 0x22, 0x11}));
}

TEST(PacerLaunch, TheKernelTakesIt) {
  const AafPacket packet{.timestampNs = 0, .soundBytes = 24};
  PacketBytes bytes = PacketBytes::inUdp(packet);
  const ReceivingSocket receiving = ReceivingSocket::inUdp("127.0.0.1", 0);
  SendingSocket sending = SendingSocket::inUdp("127.0.0.1", receiving.port());
  // Before, it refuses a launch time.
  EXPECT_THROW(sending.sendAt(bytes.number(0, 0), 1), std::system_error);
  sending.useLaunchTimes(CLOCK_TAI);
  EXPECT_TRUE(sending.sendAt(bytes.number(1, 0), 1));
  // Loopback has no queue that would report it as missed.
  EXPECT_EQ(sending.reports().launchesMissed, 0u);
}

/** A control message with a `sock_extended_err` of this origin and code. */
Bytes extendedError(uint8_t origin, uint8_t code) {
  return number(16 + 16, 8) + number(263, 4) + number(19, 4) + number(125, 4) + Bytes{origin, 0, code, 0} +
         number(0, 8);
}

TEST(PacerLaunch, TheErrorQueueReportsWhatTheQueueDidNotSend) {
  SendReports reports;
  addSendReport(extendedError(6, 2), reports);
  addSendReport(extendedError(6, 2), reports);
  addSendReport(extendedError(6, 1), reports);
  // A stamp, and an error of ICMP.
  addSendReport(extendedError(4, 0), reports);
  addSendReport(extendedError(2, 1), reports);
  addSendReport({}, reports);
  EXPECT_TRUE(reports.stampsNs.empty());
  EXPECT_EQ(reports.launchesMissed, 2u);
  EXPECT_EQ(reports.launchesRefused, 1u);
}

Bytes attribute(uint16_t type, const Bytes& value) {
  Bytes bytes = number(4 + value.size(), 2) + number(type, 2) + value;
  bytes.resize((bytes.size() + 3) / 4 * 4);
  return bytes;
}

Bytes text(const std::string& words) {
  Bytes bytes(words.begin(), words.end());
  bytes.push_back(0);
  return bytes;
}

/** A queueing discipline, as the kernel lists it. */
Bytes queue(const std::string& kind, int interfaceIndex, const Bytes& options = {}) {
  const Bytes own = number(0, 4) + number(static_cast<uint64_t>(interfaceIndex), 4) + number(0x80010000, 4) +
                    number(0xffffffff, 4) + number(2, 4);
  const Bytes body = own + attribute(1, text(kind)) + (options.empty() ? Bytes{} : attribute(2, options));
  return number(16 + body.size(), 4) + number(36, 2) + number(2, 2) + number(1, 4) + number(77, 4) + body;
}

/** delta, clock, flags */
Bytes etfOptions(int clockId) {
  return attribute(1, number(300'000, 4) + number(static_cast<uint64_t>(clockId), 4) + number(0, 4));
}

TEST(PacerTransmit, TheErrorQueueReportsWhenAPacketWasGivenToTheDriver) {
  const Bytes none(32);
  // cmsg_len 64, SOL_SOCKET, SCM_TIMESTAMPING, three times of which the first is the kernel's.
  const Bytes stamp = number(16 + 48, 8) + number(1, 4) + number(37, 4) + number(7, 8) + number(9, 8) + none;
  SendReports reports;
  addSendReport(stamp + extendedError(4, 0), reports);
  EXPECT_EQ(reports.stampsNs, std::vector<int64_t>{7'000'000'009});
  EXPECT_EQ(reports.launchesMissed, 0u);
}

TEST(PacerLaunch, FindsAnEtfWithItsClock) {
  const Bytes answers = queue("mqprio", 5) + queue("etf", 4, etfOptions(CLOCK_MONOTONIC)) + queue("fq", 5) +
                        queue("etf", 5, etfOptions(CLOCK_TAI)) + queue("fq", 5);
  const auto found = launchQueueIn(answers, 5);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->kind, "etf");
  EXPECT_EQ(found->clockId, CLOCK_TAI);
}

TEST(PacerLaunch, TakesAnFqWhereThereIsNothingBetter) {
  const auto found = launchQueueIn(queue("noqueue", 3) + queue("fq", 3), 3);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->kind, "fq");
  EXPECT_EQ(found->clockId, CLOCK_MONOTONIC);
}

TEST(PacerLaunch, FindsNoneWhereThereIsNone) {
  EXPECT_FALSE(launchQueueIn({}, 3));
  EXPECT_FALSE(
      launchQueueIn(queue("noqueue", 3) + queue("fq_codel", 3) + queue("etf", 4, etfOptions(11)), 3));
  EXPECT_FALSE(launchQueueIn(queue("etf", 3), 3));
  EXPECT_FALSE(launchQueueOf(networkCard("lo").index));
}

TEST(PacerLaunch, AnAnswerThatWasCutOffIsNotReadBeyondItsEnd) {
  const Bytes answers = queue("etf", 5, etfOptions(CLOCK_TAI));
  for (size_t size = 0; size < answers.size(); ++size) {
    EXPECT_FALSE(launchQueueIn(std::span(answers).first(size), 5)) << size;
  }
}

TEST(PacerCard, AnUnknownInterfaceIsNamed) {
  for (const char* const name : {"", "no-such-card", "a-name-that-no-interface-can-have"}) {
    try {
      networkCard(name);
      ADD_FAILURE() << name;
    } catch (const std::exception& error) {
      EXPECT_EQ(error.what(), std::string("There is no network interface ") + name);
    }
  }
  EXPECT_FALSE(networkCard("lo").isEthernet);
}

TEST(PacerIrregularities, SayWhatGoesInASlot) {
  const auto made = Irregularities::parse("5:withheld 9:doubled 20:swapped 30:late:5000000 40:early:90000");
  const auto expectSlot = [&](uint64_t number, uint64_t index, int times, int64_t lateNs,
                              int64_t earlyNs = 0) {
    const Irregularities::Slot slot = made.slot(number);
    EXPECT_EQ(slot.index, index) << number;
    EXPECT_EQ(slot.times, times) << number;
    EXPECT_EQ(slot.lateNs, lateNs) << number;
    EXPECT_EQ(slot.earlyNs, earlyNs) << number;
  };
  expectSlot(0, 0, 1, 0);
  expectSlot(5, 5, 0, 0);
  expectSlot(9, 9, 2, 0);
  expectSlot(20, 21, 1, 0);
  expectSlot(21, 20, 1, 0);
  expectSlot(30, 30, 1, 5'000'000);
  expectSlot(40, 40, 1, 0, 90'000);
  EXPECT_EQ(Irregularities::parse("").slot(7).times, 1);
  for (const char* const words : {"x:late:1", "5", "5:lost", "5:late", "5:early", "5:late:1x"}) {
    EXPECT_THROW(Irregularities::parse(words), std::invalid_argument) << words;
  }
}

TEST(PacerStolenTime, IsTheEighthFieldOfItsCore) {
  const std::string stat =
      "cpu  1 2 3 4 5 6 7 80 0 0\ncpu0 1 2 3 4 5 6 7 30 0 0\ncpu1 1 2 3 4 5 6 7 50 0 0\nctxt 9\n";
  EXPECT_EQ(stolenTicksIn(stat, std::nullopt), 80u);
  EXPECT_EQ(stolenTicksIn(stat, 1), 50u);
  EXPECT_EQ(stolenTicksIn(stat, 2), std::nullopt);
  EXPECT_EQ(stolenTicksIn("cpu 1 2 3", std::nullopt), std::nullopt);
}

TEST(PacerStolenTime, LiesBetweenTheLookThatFoundMoreAndTheOneBefore) {
  StolenTime stolen(0);
  stolen.note(100, 5);
  stolen.note(200, 5);
  stolen.note(300, 7);
  stolen.note(400, std::nullopt);
  stolen.note(500, 9);
  stolen.note(600, 10);
  EXPECT_EQ(stolen.settledNs(), 600);
  const std::vector<TimeWindow> windows = stolen.takeWindows();
  ASSERT_EQ(windows.size(), 2u);
  EXPECT_EQ(windows[0].fromNs, 200);
  EXPECT_EQ(windows[0].toNs, 300);
  EXPECT_EQ(windows[1].fromNs, 500);
  EXPECT_EQ(windows[1].toNs, 600);
  EXPECT_TRUE(stolen.takeWindows().empty());
}

class PacerReceiver : public testing::Test {
 protected:
  static constexpr int64_t kStartNs = 1'000'000'000'000;
  static constexpr int64_t kIntervalNs = 125'000;

  PacerReceiver() { offset_.add({0, 0, 0}); }

  static AafPacket classA(uint64_t streamId) {
    AafPacket packet;
    packet.streamId = streamId;
    packet.timestampNs = 0;
    packet.soundBytes = 24;
    return packet;
  }

  void arrive(Receiver& receiver, int64_t index, int64_t lateNs = 0, uint64_t streamId = 7) {
    PacketBytes bytes = PacketBytes::onEthernet(classA(streamId), kStreamAddress, {}, std::nullopt);
    const int64_t dueNs = kStartNs + index * kIntervalNs;
    receiver.add({.bytes = bytes.number(static_cast<uint64_t>(index), dueNs + 2'000'000),
                  .from = std::nullopt,
                  .softwareNs = dueNs + lateNs,
                  .hardwareNs = std::nullopt},
                 offset_);
  }

  static ReceivePlan plan(std::optional<int64_t> startNs) {
    return {.isInUdp = false,
            .sender = std::nullopt,
            .streamId = 7,
            .startNs = startNs,
            .senderStartNs = startNs.value_or(0),
            .intervalNs = kIntervalNs,
            .toleranceNs = kIntervalNs,
            .presentationNs = 2'000'000,
            .transitNs = 2'000'000,
            .byHardware = false};
  }

  ClockOffset offset_;
};

TEST_F(PacerReceiver, CountsAndTimesWhatComes) {
  Receiver receiver(plan(kStartNs), nullptr);
  for (const int64_t index : {0, 1, 3, 3, 5, 4}) arrive(receiver, index, index == 3 ? 130'000 : 1000);
  receiver.finish(8);
  EXPECT_EQ(receiver.sequence().lostRanges(), (std::vector<PacketRange>{{2, 2}, {6, 7}}));
  EXPECT_EQ(receiver.sequence().duplicates(), std::vector<int64_t>{3});
  EXPECT_EQ(receiver.sequence().latecomers(), std::vector<int64_t>{4});
  EXPECT_EQ(receiver.intervals().count(), 5u);
  EXPECT_EQ(receiver.schedule()->late(), 1u);
  EXPECT_EQ(receiver.schedule()->latest()[0], (ScheduleFigures::Late{3, 130'000}));
  EXPECT_EQ(receiver.undisturbed().figures().count(), 5u);
}

TEST_F(PacerReceiver, LeavesOutWhatIsNotOfItsStream) {
  Receiver receiver(plan(kStartNs), nullptr);
  arrive(receiver, 0);
  arrive(receiver, 0, 0, 8);
  const Bytes short_(10, 0);
  receiver.add({.bytes = short_, .from = std::nullopt, .softwareNs = 5, .hardwareNs = std::nullopt}, offset_);
  PacketBytes wrong = PacketBytes::onEthernet(classA(7), kStreamAddress, {}, std::nullopt);
  receiver.add({.bytes = wrong.number(1, kStartNs + 17),
                .from = std::nullopt,
                .softwareNs = 5,
                .hardwareNs = std::nullopt},
               offset_);
  PacketBytes good = PacketBytes::onEthernet(classA(7), kStreamAddress, {}, std::nullopt);
  const int64_t presentationNs = kStartNs + kIntervalNs + 2'000'000;
  receiver.add({.bytes = good.number(1, presentationNs),
                .from = std::nullopt,
                .softwareNs = std::nullopt,
                .hardwareNs = std::nullopt},
               offset_);
  receiver.finish(2);
  EXPECT_EQ(receiver.counts().foreign, 1u);
  EXPECT_EQ(receiver.counts().damaged, 2u);
  EXPECT_EQ(receiver.counts().unstamped, 1u);
  EXPECT_EQ(receiver.sequence().lost(), 0u);
  EXPECT_EQ(receiver.intervals().count(), 0u);
}

TEST_F(PacerReceiver, MeasuresAStreamOfOthersByItsFirstPacket) {
  Receiver receiver(plan(std::nullopt), nullptr);
  for (int64_t index = 300; index < 900; ++index) {
    if (index != 600) arrive(receiver, index, index == 700 ? 40'000 : 0);
  }
  receiver.finish(std::nullopt);
  EXPECT_EQ(receiver.sequence().received(), 599u);
  EXPECT_EQ(receiver.sequence().lost(), 1u);
  EXPECT_EQ(receiver.intervals().count(), 598u);
  EXPECT_EQ(receiver.intervals().maxNs(), 250'000);
  const Span span = receiver.takeSpan();
  EXPECT_EQ(span.intervals, 598u);
  EXPECT_EQ(span.minNs, 85'000);
  EXPECT_EQ(span.maxNs, 250'000);
  EXPECT_EQ(receiver.takeSpan().intervals, 0u);
  EXPECT_EQ(receiver.schedule()->timeIntervalErrorNs(), 40'000);
}

TEST_F(PacerReceiver, ReportsEachFigureByItsName) {
  Receiver receiver(plan(kStartNs), nullptr);
  const auto arriveAs = [&](const Bytes& bytes, std::optional<int64_t> softwareNs) {
    receiver.add({.bytes = bytes, .from = std::nullopt, .softwareNs = softwareNs, .hardwareNs = std::nullopt},
                 offset_);
  };
  for (const int64_t index : {0, 1, 1, 5, 6, 9, 8, 7}) arrive(receiver, index);
  arrive(receiver, 10, -126'000);
  arrive(receiver, 11, 126'000);
  arrive(receiver, 12, 2'000'001);
  for (int foreign = 0; foreign < 3; ++foreign) arrive(receiver, 0, 0, 8);
  for (int damaged = 0; damaged < 5; ++damaged) arriveAs(Bytes(10, 0), 5);
  PacketBytes unstamped = PacketBytes::onEthernet(classA(7), kStreamAddress, {}, std::nullopt);
  const auto last = unstamped.number(13, kStartNs + 13 * kIntervalNs + 2'000'000);
  arriveAs(Bytes(last.begin(), last.end()), std::nullopt);
  // Touches the interval before packet 1 and the ones behind it.
  receiver.exclude({kStartNs + kIntervalNs, kStartNs + kIntervalNs});
  receiver.finish(20);
  EXPECT_EQ(receivedMessage(receiver).line(),
            R"({"type":"received","received":11,"lost":9,"reordered":2,"duplicated":1,)"
            R"("lostRanges":[2,4,14,19],"latecomers":[8,7],"duplicates":[1],)"
            R"("foreign":3,"otherAudio":0,"damaged":5,"unstamped":1,"excluded":3,"undecided":0,)"
            R"("early":1,"late":2,"longestLateRun":2,"tooLateToPresent":1,"earliestNs":-126000,)"
            R"("latestNs":2000001,"timeIntervalErrorNs":2126001,"latest":[12,2000001,11,126000],)"
            R"("streamId":"7","rateHz":48000,"channels":2,"bits":16})"
            "\n");
}

TEST(PacerReports, NameEachFigureOfIntervals) {
  IntervalFigures figures(125'000);
  for (const int64_t intervalNs : {125'000, 124'960, 125'048, 124'992, 125'003}) figures.add(intervalNs);
  const std::string line = intervalsMessage("undisturbed", figures).line();
  EXPECT_TRUE(line.starts_with(
      R"({"type":"intervals","of":"undisturbed","count":5,"meanNs":125000.6,"sdNs":31.5245)"))
      << line;
  EXPECT_NE(line.find(R"("minNs":124960,"maxNs":125048,"p001Ns":124960,"p25Ns":124992,"p50Ns":125000,)"
                      R"("p75Ns":125003,"p99Ns":125048,"p999Ns":125048,"p9999Ns":125048,"curveNs":[124960,)"),
            std::string::npos)
      << line;
  EXPECT_TRUE(line.ends_with("\"firstBin\":104,\"binCounts\":[5]}\n")) << line;
}

/** What waits in a socket, until it is as many. */
std::vector<std::optional<UdpEnd>> arrivalsAt(ReceivingSocket& socket, Receiver& receiver, size_t wanted) {
  ClockOffset offset;
  std::vector<std::optional<UdpEnd>> senders;
  while (senders.size() < wanted) {
    const std::span<const StampedPacket> packets = socket.take();
    offset.add(readClocks());
    for (const StampedPacket& packet : packets) {
      senders.push_back(packet.from);
      receiver.add(packet, offset);
    }
  }
  return senders;
}

TEST_F(PacerReceiver, CopiesFromElsewhereAreForeignAndNoDuplicates) {
  ReceivingSocket listening = ReceivingSocket::inUdp("127.0.0.1", 0);
  SendingSocket ours = SendingSocket::inUdp("127.0.0.1", listening.port());
  SendingSocket forger = SendingSocket::inUdp("127.0.0.1", listening.port());
  const UdpEnd ourEnd = UdpEnd::of("127.0.0.1", ours.port());
  ReceivePlan udp = plan(kStartNs);
  udp.isInUdp = true;
  udp.sender = ourEnd;
  Receiver receiver(udp, nullptr);
  PacketBytes bytes = PacketBytes::inUdp(classA(7));
  for (int64_t index = 0; index < 10; ++index) {
    const auto packet =
        bytes.number(static_cast<uint64_t>(index), kStartNs + index * kIntervalNs + 2'000'000);
    ASSERT_TRUE(ours.send(packet));
    ASSERT_TRUE(forger.send(packet));
  }
  const std::vector<std::optional<UdpEnd>> senders = arrivalsAt(listening, receiver, 20);
  EXPECT_EQ(std::ranges::count(senders, std::optional(ourEnd)), 10);
  EXPECT_EQ(receiver.sequence().received(), 10u);
  EXPECT_EQ(receiver.sequence().duplicated(), 0u);
  EXPECT_EQ(receiver.counts().foreign, 10u);
}

TEST_F(PacerReceiver, ListensAtItsAddressAlone) {
  const ReceivingSocket listening = ReceivingSocket::inUdp("127.0.0.1", 0);
  // Another address of the same port is free.
  EXPECT_NO_THROW(ReceivingSocket::inUdp("127.0.0.2", listening.port()));
  EXPECT_THROW(ReceivingSocket::inUdp("127.0.0.1", listening.port()), Error);
  EXPECT_THROW(ReceivingSocket::inUdp("localhost", 0), Error);
}

TEST_F(PacerReceiver, LeavesOutTheIntervalsInWhichACardsClockWasSet) {
  ReceivePlan byCard = plan(kStartNs);
  byCard.byHardware = true;
  Receiver receiver(byCard, nullptr);
  PacketBytes bytes = PacketBytes::onEthernet(classA(7), kStreamAddress, {}, std::nullopt);
  // Since 1970 at first, then of today, then back by a minute; one stamp alone is wrong by 2³² ns.
  const auto cardNs = [](int64_t index) {
    const int64_t byNs = index < 300   ? 0
                         : index < 600 ? 1'795'000'000'000'000'000
                                       : 1'794'999'940'000'000'000;
    return 1000 + index * kIntervalNs + byNs + (index == 700 ? int64_t{1} << 32 : 0);
  };
  for (int64_t index = 0; index < 1000; ++index) {
    const int64_t dueNs = kStartNs + index * kIntervalNs;
    // The kernel's stamps are late now and then, by less.
    receiver.add({.bytes = bytes.number(static_cast<uint64_t>(index), dueNs + 2'000'000),
                  .from = std::nullopt,
                  .softwareNs = dueNs + (index % 50 == 0 ? 80'000'000 : 0),
                  .hardwareNs = cardNs(index) + (index == 500 ? 30 : 0)},
                 offset_);
  }
  receiver.finish(1000);
  EXPECT_EQ(receiver.cardSteps(), 4u);
  EXPECT_EQ(receiver.intervals().count(), 999u - 4u);
  EXPECT_EQ(receiver.intervals().minNs(), kIntervalNs - 30);
  EXPECT_EQ(receiver.intervals().maxNs(), kIntervalNs + 30);
  EXPECT_DOUBLE_EQ(receiver.intervals().meanNs(), kIntervalNs);
  EXPECT_NEAR(receiver.intervals().standardDeviationNs(), std::sqrt(1800.0 / 994), 1e-9);
  EXPECT_EQ(receiver.schedule()->timeIntervalErrorNs(), 30);
  EXPECT_EQ(receiver.counts().unstamped, 0u);
}

}  // namespace
}  // namespace whiteline::pacer

#endif
