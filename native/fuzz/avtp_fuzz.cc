// Feeds arbitrary bytes to the reader of AVTP packets, and checks that what it accepts can be written and
// read again.

#include <algorithm>
#include <cstdint>
#include <variant>
#include <vector>

#include "native/fuzz/fuzz_input.h"
#include "native/helpers/pacer/avtp.h"

using namespace whiteline::pacer;
using whiteline::fuzz::require;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::span<const uint8_t> bytes(data, size);
  const bool isFrame = std::holds_alternative<AafPacket>(readFrame(bytes));
  const bool isDatagram = std::holds_alternative<AafPacket>(readDatagram(bytes));
  require(!isFrame || size >= kEthernetHeaderBytes + kAafHeaderBytes);
  require(!isDatagram || size >= kEncapsulationBytes + kAafHeaderBytes);
  const ReadAaf read = readAaf(bytes);
  const auto* const packet = std::get_if<AafPacket>(&read);
  if (packet == nullptr) return 0;
  const auto header = headerOf(*packet);
  std::vector<uint8_t> again(header.begin(), header.end());
  again.resize(again.size() + packet->soundBytes);
  require(std::get<AafPacket>(readAaf(again)) == *packet);
  return 0;
}
