// tshark is asked by way of a shell.
#if !defined(_WIN32)

// What others read of our packets: Wireshark's dissector, field by field.

#include <gtest/gtest.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "native/helpers/pacer/avtp.h"
#include "native/tests/scratch_folder.h"

namespace whiteline::pacer {
namespace {

constexpr int kPackets = 1000;
constexpr uint64_t kStreamId = 0x0211223344550001;
constexpr uint32_t kClassNs[] = {125'000, 250'000};
constexpr uint32_t kRatesHz[] = {8000,   16'000, 24'000, 32'000,  44'100,
                                 48'000, 88'200, 96'000, 176'400, 192'000};
constexpr uint32_t kBits[] = {16, 24, 32};

/** Frames as a file of libpcap, on Ethernet. */
class CaptureFile {
 public:
  explicit CaptureFile(const std::string& path) : file_(path, std::ios::binary) {
    for (const uint32_t word : {0xa1b2c3d4U, 0x00040002U, 0U, 0U, 65535U, 1U}) put(word);
  }

  void add(std::span<const uint8_t> frame) {
    for (const size_t word : {size_t{0}, size_t{0}, frame.size(), frame.size()})
      put(static_cast<uint32_t>(word));
    file_.write(reinterpret_cast<const char*>(frame.data()), static_cast<std::streamsize>(frame.size()));
  }

 private:
  void put(uint32_t word) { file_.write(reinterpret_cast<const char*>(&word), sizeof word); }

  std::ofstream file_;
};

/** Fields that it prints, and how one of our packets reads in them. */
constexpr const char* kFields[] = {"vlan.priority",
                                   "vlan.id",
                                   "ieee1722.subtype",
                                   "ieee1722.svfield",
                                   "ieee1722.verfield",
                                   "aaf.mrfield",
                                   "aaf.tvfield",
                                   "aaf.seqnum",
                                   "aaf.tufield",
                                   "aaf.stream_id",
                                   "aaf.avtp_timestamp",
                                   "aaf.format_info",
                                   "aaf.channels_per_frame",
                                   "aaf.bit_depth",
                                   "aaf.stream_data_len",
                                   "aaf.sparse_timestamp",
                                   "aaf.evtfield",
                                   "aaf.reserved",
                                   "aaf.nominal_sample_rate"};

std::string lineOf(const AafPacket& packet, int index, int64_t presentationNs) {
  std::array<char, 32> rate{};
  std::snprintf(rate.data(), rate.size(), "0x%04x", rateCode(packet.rateHz).value());
  std::ostringstream line;
  line << "3\t2\t0x02\t1\t0x00\t0\t1\t" << (index & 0xff) << "\t1\t0x0211223344550001\t"
       << static_cast<uint32_t>(presentationNs) << "\t0x0" << static_cast<int>(packet.format) << '\t'
       << packet.channels << '\t' << static_cast<int>(packet.bitDepth) << '\t' << packet.soundBytes
       << "\t0\t0x00\t0x00\t" << rate.data();
  return line.str();
}

/** Newer versions write flags as words. */
std::string withNumbers(std::string line) {
  for (const auto& [word, number] : {std::pair("True", "1"), std::pair("False", "0")}) {
    for (size_t at = line.find(word); at != std::string::npos; at = line.find(word)) {
      line.replace(at, std::strlen(word), number);
    }
  }
  return line;
}

TEST(PacerWireshark, ReadsEveryFieldOfEveryClassRateAndWidth) {
  const test::ScratchFolder folder;
  const std::string capture = folder.path() / "packets.pcap";
  std::vector<std::string> expected;
  {
    CaptureFile file(capture);
    for (const uint32_t intervalNs : kClassNs) {
      for (const uint32_t rateHz : kRatesHz) {
        for (const uint32_t bits : kBits) {
          AafPacket packet;
          packet.streamId = kStreamId;
          packet.timestampNs = 0;
          packet.isTimestampUncertain = true;
          packet.format = integerSamples(bits).value();
          packet.rateHz = rateHz;
          packet.bitDepth = static_cast<uint8_t>(bits);
          // Samples that begin in the interval.
          const uint64_t samples = (uint64_t{rateHz} * intervalNs + 999'999'999) / 1'000'000'000;
          packet.soundBytes = static_cast<uint16_t>(samples * packet.channels * bits / 8);
          PacketBytes bytes = PacketBytes::onEthernet(packet, {0x91, 0xe0, 0xf0, 0, 0xfe, 0}, {2},
                                                      VlanTag{.id = 2, .priority = 3});
          for (int index = 0; index < kPackets; ++index) {
            const int64_t presentationNs = 1'234'567'890'123 + int64_t{index} * intervalNs;
            file.add(bytes.number(static_cast<uint64_t>(index), presentationNs));
            expected.push_back(lineOf(packet, index, presentationNs));
          }
        }
      }
    }
  }
  std::string command = "tshark -n -r " + capture + " -T fields";
  for (const char* const field : kFields) command += std::string(" -e ") + field;
  const std::string output = folder.path() / "fields.txt";
  ASSERT_EQ(std::system((command + " >" + output + " 2>/dev/null").c_str()), 0) << command;
  std::ifstream lines(output);
  size_t read = 0;
  for (std::string line; std::getline(lines, line); ++read) {
    ASSERT_LT(read, expected.size());
    ASSERT_EQ(withNumbers(line), expected[read]) << read;
  }
  EXPECT_EQ(read, expected.size());
}

}  // namespace
}  // namespace whiteline::pacer

#endif
