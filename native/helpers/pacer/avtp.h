#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <variant>
#include <vector>

/** Audio packets of AVTP (IEEE 1722-2016, clauses 5 and 7: AAF, PCM), on Ethernet and in UDP. */

namespace whiteline::pacer {

inline constexpr uint16_t kAvtpEtherType = 0x22f0;
inline constexpr uint16_t kAvtpUdpPort = 17220;
inline constexpr size_t kAafHeaderBytes = 24;
inline constexpr size_t kEthernetHeaderBytes = 14;
inline constexpr size_t kVlanTagBytes = 4;
/** Annex J: the number of the datagram. */
inline constexpr size_t kEncapsulationBytes = 4;

using MacAddress = std::array<uint8_t, 6>;

/** How samples are written. */
enum class SampleFormat : uint8_t { Float32 = 1, Int32 = 2, Int24 = 3, Int16 = 4 };

size_t bytesOf(SampleFormat format);

/** Integer samples of this many bits; empty: AAF has none. */
std::optional<SampleFormat> integerSamples(uint32_t bits);
/** The field of the header that stands for a rate; empty: there is none. */
std::optional<uint8_t> rateCode(uint32_t rateHz);

struct AafPacket {
  uint64_t streamId = 0;
  uint8_t sequence = 0;
  /** Low 32 bits of the presentation time; empty: the packet says none. */
  std::optional<uint32_t> timestampNs;
  /** The sender's clock does not follow a grandmaster. */
  bool isTimestampUncertain = false;
  SampleFormat format = SampleFormat::Int16;
  uint32_t rateHz = 48000;
  uint16_t channels = 2;
  uint8_t bitDepth = 16;
  uint16_t soundBytes = 0;

  friend bool operator==(const AafPacket&, const AafPacket&) = default;
};

/** The header of its AVTPDU; the rate is one that `rateCode` knows. */
std::array<uint8_t, kAafHeaderBytes> headerOf(const AafPacket& packet);

/** Why bytes are no audio packet that can be measured. */
enum class Unread : uint8_t {
  /** Another protocol's, or another kind of AVTP packet. */
  Foreign,
  /** Audio in a form that is not read: AES3, or a rate of the user's own. */
  OtherAudio,
  /** Cut off, or fields that contradict each other. */
  Damaged,
};

using ReadAaf = std::variant<AafPacket, Unread>;

/** Reads an AVTPDU; bytes after its sound are padding. */
ReadAaf readAaf(std::span<const uint8_t> bytes);
/** Reads an Ethernet frame, with a VLAN tag or without. */
ReadAaf readFrame(std::span<const uint8_t> bytes);
/** Reads what a UDP datagram carries. */
ReadAaf readDatagram(std::span<const uint8_t> bytes);

struct VlanTag {
  uint16_t id = 0;
  uint8_t priority = 0;
};

/** Bytes of one stream's packets, of which only a few change from one to the next. The sound is silence. */
class PacketBytes {
 public:
  static PacketBytes onEthernet(const AafPacket& packet, const MacAddress& to, const MacAddress& from,
                                const std::optional<VlanTag>& tag);
  static PacketBytes inUdp(const AafPacket& packet);

  /** Of the packet with this number, to be presented at `presentationNs`. Valid until the next call. */
  std::span<const uint8_t> number(uint64_t index, int64_t presentationNs);

 private:
  PacketBytes(std::vector<uint8_t> before, const AafPacket& packet, bool isInUdp);

  std::vector<uint8_t> bytes_;
  size_t headerAt_;
  bool isInUdp_;
};

}  // namespace whiteline::pacer
