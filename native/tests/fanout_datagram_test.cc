#include <gtest/gtest.h>

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "native/base/platform/error.h"
#include "native/helpers/fanout/datagram_counts.h"
#include "native/helpers/fanout/guid_prefix.h"
#include "native/helpers/fanout/rtps_reader.h"
#include "native/helpers/fanout/udp_packet.h"
#include "native/helpers/fanout/writer_ids.h"
#include "native/tests/fanout_packets.h"

namespace whiteline::fanout {
namespace {

using test::bytesOfHex;
using test::FanoutPackets;

std::vector<Submessage> ofWriters(std::string_view digits) {
  const std::vector<uint8_t> bytes = bytesOfHex(digits);
  const UdpPacket packet = readUdpPacket(bytes).value();
  RtpsReader reader(packet.payload, packet.payloadBytes);
  EXPECT_TRUE(reader.isRtps());
  std::vector<Submessage> found;
  while (const std::optional<Submessage> part = reader.next())
    if (part->kind != SubmessageKind::Other) found.push_back(*part);
  return found;
}

/** A packet with other numbers in it, whole as its header of IP says. */
std::vector<uint8_t> changed(std::string_view digits, size_t at, std::vector<uint8_t> bytes) {
  std::vector<uint8_t> packet = bytesOfHex(digits);
  std::copy(bytes.begin(), bytes.end(), packet.begin() + static_cast<std::ptrdiff_t>(at));
  packet.resize(static_cast<size_t>(packet[2] << 8 | packet[3]));
  return packet;
}

// Headers of IP, UDP and RTPS, the destination and the time stand in front of the submessage.
constexpr size_t kSubmessageAt = 20 + 8 + 20 + 16 + 12;
constexpr size_t kSequenceAt = kSubmessageAt + 4 + 16;
constexpr size_t kFragmentAt = kSequenceAt + 4;

std::vector<uint8_t> dataOf(uint8_t sequence) {
  return changed(FanoutPackets::kData, kSequenceAt, {sequence, 0, 0, 0});
}

std::vector<uint8_t> fragmentOf(uint8_t sequence, uint8_t fragment) {
  return changed(FanoutPackets::kFragment, kSequenceAt, {sequence, 0, 0, 0, fragment, 0, 0, 0});
}

// Of the recorded packets: those of samples as a whole, and those of fragments.
const GuidPrefix kPublisher = guidPrefixOf("010f78fd720e85ae00000000");
constexpr std::pair<uint32_t, uint16_t> kGroup = {0xefff4d07, 27'701};
const GuidPrefix kFragmenting = guidPrefixOf("010f78fd8b0e32fb00000000");

DatagramCounts countsOf(const std::vector<std::vector<uint8_t>>& packets, bool isLoopback = true,
                        const GuidPrefix& publisher = kPublisher) {
  DatagramCounts counts(publisher, kGroup, isLoopback);
  for (const std::vector<uint8_t>& packet : packets) counts.add(packet, true);
  return counts;
}

TEST(FanoutDatagram, IsReadAsFastDdsWritesIt) {
  const std::vector<Submessage> data = ofWriters(FanoutPackets::kData);
  ASSERT_EQ(data.size(), 1u);
  EXPECT_EQ(data[0].kind, SubmessageKind::Data);
  EXPECT_EQ(data[0].writer, writerEntity(kDataWriterId));
  EXPECT_EQ(data[0].sequence, 1);
  EXPECT_EQ(data[0].fragments, 0u);
  const std::vector<Submessage> last = ofWriters(FanoutPackets::kLastFragment);
  ASSERT_EQ(last.size(), 2u);
  EXPECT_EQ(last[0].sequence, 28);
  EXPECT_EQ(last[0].firstFragment, 2u);
  EXPECT_EQ(last[0].fragments, 1u);
  EXPECT_EQ(last[1].kind, SubmessageKind::Heartbeat);
  EXPECT_EQ(ofWriters(FanoutPackets::kAcknowledgement).at(0).kind, SubmessageKind::Acknowledgement);
  EXPECT_EQ(ofWriters(FanoutPackets::kReply).at(0).writer, writerEntity(kReplyWriterId));
  EXPECT_TRUE(ofWriters(FanoutPackets::kDiscovery).at(0).isBuiltIn());
}

TEST(FanoutDatagram, IsReadInBothOrdersOfBytes) {
  // A heartbeat and a piece of data, most significant byte first.
  std::vector<uint8_t> message = {'R', 'T', 'P', 'S', 2, 3, 1, 15};
  message.resize(20);
  const std::vector<uint8_t> parts = {0x07, 0,    0,    8, 0, 0, 0, 0,  0, 0x57, 0x4c, 3,  // heartbeat
                                      0x15, 0,    0,    0, 0, 0, 0, 16, 0, 0,    0,    4,  // data to the end
                                      0,    0x57, 0x4c, 3, 0, 0, 0, 1,  0, 0,    0,    2, 9, 9, 9, 9};
  message.insert(message.end(), parts.begin(), parts.end());
  RtpsReader reader(message, message.size());
  EXPECT_EQ(reader.next().value().kind, SubmessageKind::Heartbeat);
  EXPECT_EQ(reader.next().value().sequence, (int64_t{1} << 32) + 2);
  EXPECT_FALSE(reader.next());
  EXPECT_FALSE(reader.isCut());
}

TEST(FanoutDatagram, SaysWhereItIsCut) {
  const std::vector<uint8_t> bytes = bytesOfHex(FanoutPackets::kFragment);
  const UdpPacket packet = readUdpPacket(bytes).value();
  EXPECT_EQ(packet.payloadBytes, 1440u);
  RtpsReader reader(packet.payload, packet.payloadBytes);
  int parts = 0;
  while (reader.next()) ++parts;
  EXPECT_EQ(parts, 3);
  EXPECT_TRUE(reader.isCut());
  const std::vector<uint8_t> foreign = {'R', 'T', 'P', 'X'};
  EXPECT_FALSE(RtpsReader(foreign, foreign.size()).isRtps());
}

TEST(FanoutCounts, PutEachDatagramIntoOneClass) {
  std::vector<std::vector<uint8_t>> packets;
  for (const std::string_view digits :
       {FanoutPackets::kData, FanoutPackets::kHeartbeat, FanoutPackets::kAcknowledgement,
        FanoutPackets::kReply, FanoutPackets::kDiscovery, FanoutPackets::kLastFragment})
    packets.push_back(bytesOfHex(digits));
  const DatagramCounts counts = countsOf(packets);
  EXPECT_EQ(counts.datagrams(), 6u);
  EXPECT_EQ(counts.wireBytes(), 228u + 156 + 152 + 228 + 156 + 912);
  EXPECT_EQ(counts.acknowledgements(), 1u);
  EXPECT_EQ(counts.replies(), 1u);
  EXPECT_EQ(counts.discovery(), 1u);
  // Of the publisher of another row.
  EXPECT_EQ(counts.foreign(), 1u);
  EXPECT_EQ(counts.unread(), 0u);
  ASSERT_EQ(counts.destinations().size(), 1u);
  const auto& [place, group] = *counts.destinations().begin();
  EXPECT_EQ(place, kGroup);
  EXPECT_EQ(group.data, 1u);
  EXPECT_EQ(group.dataBytes, 228u);
  EXPECT_EQ(group.heartbeats, 1u);
  EXPECT_EQ(group.resends, 0u);
}

TEST(FanoutCounts, TellResendsBySequenceNumber) {
  const DatagramCounts counts = countsOf({dataOf(1), dataOf(2), dataOf(4), dataOf(3), dataOf(2), dataOf(5)});
  const DatagramCounts::Destination& group = counts.destinations().begin()->second;
  EXPECT_EQ(group.data, 4u);
  EXPECT_EQ(group.resends, 2u);
  EXPECT_EQ(group.dataBytes, 4u * 228);
}

TEST(FanoutCounts, TellResendsByFragment) {
  const DatagramCounts counts =
      countsOf({fragmentOf(1, 1), fragmentOf(1, 2), fragmentOf(1, 2), fragmentOf(2, 1), fragmentOf(1, 1)},
               true, kFragmenting);
  const DatagramCounts::Destination& group = counts.destinations().begin()->second;
  EXPECT_EQ(group.data, 3u);
  EXPECT_EQ(group.resends, 2u);
}

TEST(FanoutCounts, KnowDestinationsApart) {
  std::vector<uint8_t> other = dataOf(1);
  other[23] ^= 1;
  const DatagramCounts counts = countsOf({dataOf(1), other, dataOf(1)});
  ASSERT_EQ(counts.destinations().size(), 2u);
  for (const auto& [place, counted] : counts.destinations()) EXPECT_EQ(counted.data, 1u) << place.second;
}

TEST(FanoutCounts, TakeAcknowledgementsFromTheSideWhereTheyCome) {
  const std::vector<uint8_t> packet = bytesOfHex(FanoutPackets::kAcknowledgement);
  DatagramCounts ethernet(kPublisher, kGroup, false);
  ethernet.add(packet, false);
  EXPECT_EQ(ethernet.acknowledgements(), 1u);
  EXPECT_EQ(ethernet.datagrams(), 0u);
  EXPECT_EQ(ethernet.wireBytes(), 0u);
  DatagramCounts loopback(kPublisher, kGroup, true);
  loopback.add(packet, false);
  EXPECT_EQ(loopback.acknowledgements(), 0u);
}

TEST(FanoutCounts, AddWhatIsAroundAFrame) {
  EXPECT_EQ(countsOf({dataOf(1)}, false).wireBytes(), 228u + 38);
  // A packet of 28 bytes fills the least of a frame.
  std::vector<uint8_t> empty = {0x45, 0, 0,  28, 0, 0, 0, 0, 64, 17, 0, 0, 10, 0,
                                0,    1, 10, 0,  0, 2, 0, 1, 0,  2,  0, 8, 0,  0};
  const DatagramCounts counts = countsOf({empty}, false);
  EXPECT_EQ(counts.wireBytes(), 46u + 38);
  EXPECT_EQ(counts.foreign(), 1u);
}

TEST(FanoutCounts, SayWhatTheyCouldNotRead) {
  // A part of a larger packet, and a datagram of which the beginning was captured.
  const std::vector<std::vector<uint8_t>> packets = {changed(FanoutPackets::kData, 6, {0x20, 0}),
                                                     bytesOfHex(FanoutPackets::kFragment)};
  const DatagramCounts counts = countsOf(packets, true, kFragmenting);
  EXPECT_EQ(counts.ipFragments(), 1u);
  EXPECT_EQ(counts.unread(), 1u);
  EXPECT_EQ(counts.destinations().begin()->second.data, 1u);
}

TEST(FanoutCounts, LeaveOutWhatGoesFromOrToOtherPublishers) {
  std::vector<std::vector<uint8_t>> packets;
  for (const std::string_view digits : {FanoutPackets::kData, FanoutPackets::kHeartbeat,
                                        FanoutPackets::kAcknowledgement, FanoutPackets::kFragment})
    packets.push_back(bytesOfHex(digits));
  const DatagramCounts counts = countsOf(packets, true, guidPrefixOf("010f78fd720e85af00000000"));
  EXPECT_EQ(counts.datagrams(), 4u);
  EXPECT_EQ(counts.foreign(), 4u);
  EXPECT_EQ(counts.acknowledgements(), 0u);
  EXPECT_EQ(counts.unread(), 0u);
  EXPECT_TRUE(counts.destinations().empty());
  // Of the four the acknowledgement alone goes to a single address.
  EXPECT_EQ(counts.groupOfOthers(), 3u);
}

TEST(FanoutCounts, CountWhatOthersSendToTheGroupEitherWay) {
  DatagramCounts counts(kPublisher, kGroup, false);
  for (const std::string_view digits : {FanoutPackets::kData, FanoutPackets::kLastFragment}) {
    counts.add(bytesOfHex(digits), true);
    counts.add(bytesOfHex(digits), false);
  }
  EXPECT_EQ(counts.groupOfOthers(), 2u);
  DatagramCounts elsewhere(kPublisher, {kGroup.first, 27'702}, false);
  elsewhere.add(bytesOfHex(FanoutPackets::kLastFragment), true);
  EXPECT_EQ(elsewhere.groupOfOthers(), 0u);
}

TEST(FanoutGuidPrefix, IsReadAndWrittenAsDigits) {
  EXPECT_EQ(guidPrefixText(kPublisher), "010f78fd720e85ae00000000");
  for (const char* const text :
       {"", "010f78fd720e85ae0000000", "010f78fd720e85ae000000000", "010f78fd720e85ae0000000g"})
    EXPECT_THROW(guidPrefixOf(text), Error) << text;
}

}  // namespace
}  // namespace whiteline::fanout
