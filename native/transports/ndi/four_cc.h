#pragma once

#include <cstdint>

#include "native/media/pipeline/incoming.h"

namespace whiteline {

/** NDI names formats by four characters. */
constexpr uint32_t fourCc(char a, char b, char c, char d) {
  return static_cast<uint32_t>(static_cast<uint8_t>(a)) |
         static_cast<uint32_t>(static_cast<uint8_t>(b)) << 8 |
         static_cast<uint32_t>(static_cast<uint8_t>(c)) << 16 |
         static_cast<uint32_t>(static_cast<uint8_t>(d)) << 24;
}

/** What is not a character of ASCII becomes '?' in the name. */
IncomingFormat formatOf(uint32_t code);

}  // namespace whiteline
