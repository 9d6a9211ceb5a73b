#include "native/helpers/fanout/datagram_counts.h"

#include <algorithm>
#include <optional>

#include "native/helpers/fanout/writer_ids.h"

namespace whiteline::fanout {
namespace {

/** Preamble, header, check sequence and gap of a frame, and the least that it carries. */
constexpr size_t kAroundFrameBytes = 8 + 14 + 4 + 12;
constexpr size_t kLeastFrameContentBytes = 46;

constexpr uint32_t kDataWriter = writerEntity(kDataWriterId);
constexpr uint32_t kReplyWriter = writerEntity(kReplyWriterId);

}  // namespace

/** What a datagram carries. */
struct DatagramCounts::Contents {
  bool isOfPublisher = false;
  bool hasFirstData = false;
  bool hasData = false;
  bool hasHeartbeat = false;
  bool hasOther = false;
  bool hasAcknowledgement = false;
  bool hasReply = false;
  bool hasDiscovery = false;
};

void DatagramCounts::add(std::span<const uint8_t> captured, bool isOutgoing) {
  const std::optional<UdpPacket> packet = readUdpPacket(captured);
  if (!packet) return;
  const Contents contents = read(*packet, isOutgoing);
  // Of a datagram in pieces only the first names its sender.
  const bool isOfOthers = !contents.isOfPublisher && !packet->isFragment;
  if (isOfOthers && std::pair(packet->destination, packet->port) == group_) ++groupOfOthers_;
  if (!isOutgoing) {
    if (!isLoopback_ && contents.hasAcknowledgement) ++acknowledgements_;
    return;
  }
  ++datagrams_;
  wireBytes_ += isLoopback_ ? packet->packetBytes
                            : std::max(packet->packetBytes, kLeastFrameContentBytes) + kAroundFrameBytes;
  const auto destination = [&]() -> Destination& {
    return destinations_[{packet->destination, packet->port}];
  };
  if (packet->isFragment) {
    ++ipFragments_;
    ++foreign_;
  } else if (contents.hasFirstData) {
    ++destination().data;
    destination().dataBytes += packet->packetBytes;
  } else if (contents.hasData) {
    ++destination().resends;
  } else if (contents.hasReply) {
    ++replies_;
  } else if (contents.hasAcknowledgement) {
    // Elsewhere they are those of the publisher itself, to answers.
    if (isLoopback_) ++acknowledgements_;
  } else if (contents.hasHeartbeat) {
    ++destination().heartbeats;
  } else if (contents.hasOther) {
    ++destination().other;
  } else if (contents.hasDiscovery) {
    ++discovery_;
  } else {
    ++foreign_;
  }
}

DatagramCounts::Contents DatagramCounts::read(const UdpPacket& packet, bool isOutgoing) {
  Contents contents;
  RtpsReader reader(packet.payload, packet.payloadBytes);
  contents.isOfPublisher = reader.source() == publisher_;
  while (const std::optional<Submessage> part = reader.next()) {
    const bool isData = part->writer == kDataWriter;
    if (isData && part->kind == SubmessageKind::Acknowledgement) {
      if (reader.destination() == publisher_) contents.hasAcknowledgement = true;
    } else if (isData && !contents.isOfPublisher) {
      // Of another row: foreign, unless something else follows.
    } else if (isData && part->kind == SubmessageKind::Data) {
      contents.hasData = true;
      if (isOutgoing && isFirst(packet, *part)) contents.hasFirstData = true;
    } else if (isData) {
      (part->kind == SubmessageKind::Heartbeat ? contents.hasHeartbeat : contents.hasOther) = true;
    } else if (part->writer == kReplyWriter) {
      contents.hasReply = true;
    } else if (part->isBuiltIn()) {
      contents.hasDiscovery = true;
    }
  }
  if (reader.isCut() && (contents.isOfPublisher || reader.destination() == publisher_)) ++unread_;
  return contents;
}

bool DatagramCounts::isFirst(const UdpPacket& packet, const Submessage& data) {
  const uint64_t lastFragment = data.fragments == 0 ? 0 : uint64_t{data.firstFragment} + data.fragments - 1;
  const Position position{data.sequence, lastFragment};
  const auto [known, isNew] = sent_.try_emplace({packet.destination, packet.port}, position);
  if (isNew) return true;
  if (position <= known->second) return false;
  known->second = position;
  return true;
}

}  // namespace whiteline::fanout
