#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>

namespace whiteline {

/** What a frame says of itself. The format is described in docs/frame-code.md. */
struct FrameCode {
  /** Never 0. */
  uint16_t sourceId;
  uint32_t frameNumber;
  /** µs since 1970-01-01 UTC; 48 bits travel. */
  uint64_t releaseTimeUs;

  bool operator==(const FrameCode&) const = default;
};

enum class Strip : uint8_t { Top = 0, Bottom = 1 };

using CodeBytes = std::array<uint8_t, 16>;

constexpr uint8_t kSyncByte = 0xA6;

CodeBytes encode(const FrameCode& code, Strip strip);

/** Nothing unless sync, version, strip bit and check are right and the source id is not 0. */
std::optional<FrameCode> decode(const CodeBytes& bytes, Strip strip);

/** CRC-16/CCITT-FALSE. */
uint16_t crc16(std::span<const uint8_t> bytes);

}  // namespace whiteline
