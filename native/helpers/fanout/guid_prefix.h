#pragma once

#include <array>
#include <cstdint>
#include <string>

namespace whiteline::fanout {

/** Of a participant: the first part of the names of all that it has (RTPS 2.3, chapter 8.2.4.1). */
using GuidPrefix = std::array<uint8_t, 12>;

/** As hexadecimal digits. */
std::string guidPrefixText(const GuidPrefix& prefix);

/** @throws Error BAD_INPUT for anything but 24 hexadecimal digits */
GuidPrefix guidPrefixOf(const std::string& text);

}  // namespace whiteline::fanout
