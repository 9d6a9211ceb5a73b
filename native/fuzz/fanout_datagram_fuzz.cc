// Feeds arbitrary bytes to the counter of datagrams, as packets and as what is in them, and checks that each
// is in one class.

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <utility>

#include "native/fuzz/fuzz_input.h"
#include "native/helpers/fanout/datagram_counts.h"
#include "native/helpers/fanout/rtps_reader.h"
#include "native/helpers/fanout/udp_packet.h"

using namespace whiteline::fanout;
using whiteline::fuzz::require;

namespace {

void readMessage(std::span<const uint8_t> bytes, size_t wholeBytes) {
  RtpsReader reader(bytes, wholeBytes);
  size_t parts = 0;
  while (const auto part = reader.next()) {
    ++parts;
    require(part->kind != SubmessageKind::Other || part->writer == 0);
  }
  require(parts <= wholeBytes / 4);
  require(reader.isRtps() || parts == 0);
  require(!reader.next());
}

/** As if a participant that it names were the publisher. */
void count(std::span<const uint8_t> bytes, bool isLoopback) {
  const std::optional<UdpPacket> packet = readUdpPacket(bytes);
  const GuidPrefix publisher =
      packet ? RtpsReader(packet->payload, packet->payloadBytes).source() : GuidPrefix{};
  const std::pair<uint32_t, uint16_t> group =
      packet ? std::pair(packet->destination, packet->port) : std::pair<uint32_t, uint16_t>();
  DatagramCounts counts(publisher, group, isLoopback);
  for (const bool isOutgoing : {true, false, true}) counts.add(bytes, isOutgoing);
  uint64_t sorted = counts.discovery() + counts.replies() + counts.foreign();
  if (isLoopback) sorted += counts.acknowledgements();
  for (const auto& [place, counted] : counts.destinations())
    sorted += counted.data + counted.resends + counted.heartbeats + counted.other;
  require(sorted <= counts.datagrams() && counts.datagrams() <= 2);
  require(!isLoopback || sorted == counts.datagrams());
  require(counts.groupOfOthers() <= 3);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  // Exactly as large as the input, so that one byte past it is found out.
  const auto copy = std::make_unique<uint8_t[]>(size);
  std::copy_n(data, size, copy.get());
  const std::span<const uint8_t> bytes(copy.get(), size);
  readMessage(bytes, size);
  readMessage(bytes, size + 100);
  readMessage(bytes, size / 2);
  count(bytes, true);
  count(bytes, false);
  return 0;
}
