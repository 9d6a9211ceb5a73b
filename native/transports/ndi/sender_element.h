#pragma once

#include <string>
#include <string_view>

#include "native/transports/ndi/element_text.h"

namespace whiteline {

/** What a sender of ours sends on every connection to it: its NDI name, so that a receiver notices another
 * sender that has taken the port. In hexadecimal digits, since no character of a name may then need an
 * escape. */
inline std::string formatSenderElement(std::string_view name) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string text = "<whiteline_sender name=\"";
  for (const char character : name) {
    const auto byte = static_cast<unsigned char>(character);
    text += kDigits[byte >> 4U];
    text += kDigits[byte & 15U];
  }
  return text.append(kElementEnd);
}

}  // namespace whiteline
