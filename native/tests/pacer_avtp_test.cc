#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <vector>

#include "native/helpers/pacer/avtp.h"

namespace whiteline::pacer {
namespace {

using Bytes = std::vector<uint8_t>;

constexpr MacAddress kTo = {0x91, 0xe0, 0xf0, 0x00, 0xfe, 0x00};
constexpr MacAddress kFrom = {0x02, 0x11, 0x22, 0x33, 0x44, 0x55};

AafPacket classA() {
  AafPacket packet;
  packet.streamId = 0x0211223344550001;
  packet.timestampNs = 0;
  packet.isTimestampUncertain = true;
  packet.soundBytes = 24;
  return packet;
}

Bytes copyOf(std::span<const uint8_t> bytes) {
  return {bytes.begin(), bytes.end()};
}

Bytes joined(const Bytes& one, const Bytes& other) {
  Bytes both = one;
  both.insert(both.end(), other.begin(), other.end());
  return both;
}

const Bytes kAddresses = {0x91, 0xe0, 0xf0, 0x00, 0xfe, 0x00, 0x02, 0x11, 0x22, 0x33, 0x44, 0x55};

/** Packet 0x1fe of the study's stream, presented at 0x789abcdef0 ns. */
const Bytes kAvtpdu = {0x02, 0x81, 0xfe, 0x01, 0x02, 0x11, 0x22, 0x33, 0x44, 0x55, 0x00, 0x01,
                       0x9a, 0xbc, 0xde, 0xf0, 0x04, 0x50, 0x02, 0x10, 0x00, 0x18, 0x00, 0x00,
                       0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
                       0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00};

constexpr uint64_t kIndex = 0x1fe;
constexpr int64_t kPresentationNs = 0x789abcdef0;

TEST(PacerAvtp, WritesAFrameByteForByte) {
  PacketBytes bytes = PacketBytes::onEthernet(classA(), kTo, kFrom, std::nullopt);
  EXPECT_EQ(copyOf(bytes.number(kIndex, kPresentationNs)), joined(joined(kAddresses, {0x22, 0xf0}), kAvtpdu));
}

TEST(PacerAvtp, WritesAVlanTagWithItsPriority) {
  PacketBytes bytes = PacketBytes::onEthernet(classA(), kTo, kFrom, VlanTag{.id = 0x123, .priority = 3});
  const Bytes types = {0x81, 0x00, 0x61, 0x23, 0x22, 0xf0};
  EXPECT_EQ(copyOf(bytes.number(kIndex, kPresentationNs)), joined(joined(kAddresses, types), kAvtpdu));
}

TEST(PacerAvtp, WritesADatagramWithItsNumber) {
  PacketBytes bytes = PacketBytes::inUdp(classA());
  EXPECT_EQ(copyOf(bytes.number(kIndex, kPresentationNs)), joined({0x00, 0x00, 0x01, 0xfe}, kAvtpdu));
}

TEST(PacerAvtp, ReadsWhatItWrites) {
  for (const uint32_t bits : {16U, 24U, 32U}) {
    for (const uint32_t rateHz : {8000U, 44100U, 48000U, 192000U, 24000U}) {
      for (const uint16_t channels : {uint16_t{1}, uint16_t{8}, uint16_t{1023}}) {
        AafPacket packet = classA();
        packet.format = integerSamples(bits).value();
        packet.bitDepth = static_cast<uint8_t>(bits);
        packet.rateHz = rateHz;
        packet.channels = channels;
        packet.soundBytes = static_cast<uint16_t>(5 * channels * bits / 8);
        packet.sequence = 0xfe;
        packet.timestampNs = 0x9abcdef0;
        PacketBytes frame = PacketBytes::onEthernet(packet, kTo, kFrom, VlanTag{});
        PacketBytes datagram = PacketBytes::inUdp(packet);
        EXPECT_EQ(std::get<AafPacket>(readFrame(frame.number(kIndex, kPresentationNs))), packet);
        EXPECT_EQ(std::get<AafPacket>(readDatagram(datagram.number(kIndex, kPresentationNs))), packet);
      }
    }
  }
}

TEST(PacerAvtp, HasNoPresentationTimeUnlessItSaysSo) {
  AafPacket packet = classA();
  packet.timestampNs.reset();
  const auto header = headerOf(packet);
  Bytes bytes = joined(Bytes(header.begin(), header.end()), Bytes(packet.soundBytes, 0));
  EXPECT_EQ(std::get<AafPacket>(readAaf(bytes)), packet);
  // The value in its place is ignored.
  bytes[12] = 1;
  EXPECT_EQ(std::get<AafPacket>(readAaf(bytes)), packet);
}

TEST(PacerAvtp, TakesBytesBehindTheSoundForPadding) {
  EXPECT_TRUE(std::holds_alternative<AafPacket>(readAaf(joined(kAvtpdu, Bytes(20, 0xaa)))));
}

TEST(PacerAvtp, NoPacketIsReadThatWasCutOff) {
  for (size_t size = 0; size < kAvtpdu.size(); ++size) {
    const ReadAaf read = readAaf(std::span(kAvtpdu).first(size));
    ASSERT_EQ(std::get<Unread>(read), Unread::Damaged) << size;
  }
  for (size_t size = 0; size < kEthernetHeaderBytes + kVlanTagBytes; ++size) {
    const Bytes frame = joined(kAddresses, {0x81, 0x00, 0x00, 0x00, 0x22, 0xf0});
    ASSERT_EQ(std::get<Unread>(readFrame(std::span(frame).first(size))), Unread::Damaged) << size;
  }
}

struct Change {
  const char* what;
  size_t at;
  uint8_t value;
  Unread found;
};

TEST(PacerAvtp, SaysWhyAPacketIsNotRead) {
  const Change changes[] = {
      {"another subtype", 0, 0x03, Unread::Foreign},
      {"another version", 1, 0x91, Unread::Foreign},
      {"no stream id", 1, 0x01, Unread::Damaged},
      {"AES3", 16, 0x05, Unread::OtherAudio},
      {"a format of the user", 16, 0x00, Unread::OtherAudio},
      {"a rate of the user", 17, 0x00, Unread::OtherAudio},
      {"an unknown rate", 17, 0xb0, Unread::OtherAudio},
      {"no channel", 18, 0x00, Unread::Damaged},
      {"part of a sample", 18, 0x05, Unread::Damaged},
      {"more bits than a sample has", 19, 0x11, Unread::Damaged},
      {"no sound", 21, 0x00, Unread::Damaged},
      {"more sound than there is", 21, 0x1c, Unread::Damaged},
  };
  for (const auto& [what, at, value, found] : changes) {
    Bytes bytes = kAvtpdu;
    bytes[at] = value;
    const ReadAaf read = readAaf(bytes);
    ASSERT_TRUE(std::holds_alternative<Unread>(read)) << what;
    EXPECT_EQ(std::get<Unread>(read), found) << what;
  }
  const Bytes ip = joined(joined(kAddresses, {0x08, 0x00}), kAvtpdu);
  EXPECT_EQ(std::get<Unread>(readFrame(ip)), Unread::Foreign);
}

}  // namespace
}  // namespace whiteline::pacer
