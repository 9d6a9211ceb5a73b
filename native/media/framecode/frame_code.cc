#include "native/media/framecode/frame_code.h"

namespace whiteline {

namespace {

constexpr uint8_t kVersion = 1;
constexpr size_t kCheckOffset = 14;

void writeBigEndian(std::span<uint8_t> bytes, uint64_t value) {
  for (size_t index = bytes.size(); index-- > 0; value >>= 8) bytes[index] = static_cast<uint8_t>(value);
}

uint64_t readBigEndian(std::span<const uint8_t> bytes) {
  uint64_t value = 0;
  for (const uint8_t byte : bytes) value = value << 8 | byte;
  return value;
}

constexpr std::array<uint16_t, 256> makeCrcTable() {
  std::array<uint16_t, 256> table{};
  for (unsigned byte = 0; byte < table.size(); ++byte) {
    unsigned rest = byte << 8;
    for (int bit = 0; bit < 8; ++bit) rest = (rest & 0x8000) != 0 ? rest << 1 ^ 0x1021 : rest << 1;
    table[byte] = static_cast<uint16_t>(rest);
  }
  return table;
}

constexpr std::array<uint16_t, 256> kCrcTable = makeCrcTable();

}  // namespace

uint16_t crc16(std::span<const uint8_t> bytes) {
  uint16_t crc = 0xFFFF;
  for (const uint8_t byte : bytes) {
    crc = static_cast<uint16_t>(crc << 8 ^ kCrcTable[static_cast<uint8_t>(crc >> 8) ^ byte]);
  }
  return crc;
}

CodeBytes encode(const FrameCode& code, Strip strip) {
  CodeBytes bytes;
  const std::span<uint8_t> all(bytes);
  bytes[0] = kSyncByte;
  bytes[1] = static_cast<uint8_t>(kVersion << 4 | static_cast<uint8_t>(strip));
  writeBigEndian(all.subspan(2, 2), code.sourceId);
  writeBigEndian(all.subspan(4, 4), code.frameNumber);
  writeBigEndian(all.subspan(8, 6), code.releaseTimeUs);
  writeBigEndian(all.subspan(kCheckOffset), crc16(all.first(kCheckOffset)));
  return bytes;
}

std::optional<FrameCode> decode(const CodeBytes& bytes, Strip strip) {
  const std::span<const uint8_t> all(bytes);
  if (bytes[0] != kSyncByte || bytes[1] >> 4 != kVersion) return std::nullopt;
  if ((bytes[1] & 1) != static_cast<uint8_t>(strip)) return std::nullopt;
  if (readBigEndian(all.subspan(kCheckOffset)) != crc16(all.first(kCheckOffset))) return std::nullopt;
  const FrameCode code{.sourceId = static_cast<uint16_t>(readBigEndian(all.subspan(2, 2))),
                       .frameNumber = static_cast<uint32_t>(readBigEndian(all.subspan(4, 4))),
                       .releaseTimeUs = readBigEndian(all.subspan(8, 6))};
  if (code.sourceId == 0) return std::nullopt;
  return code;
}

}  // namespace whiteline
