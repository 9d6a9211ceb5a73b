#pragma once

#include <string_view>

namespace whiteline {

/** With this our XML elements end. */
inline constexpr std::string_view kElementEnd = "\"/>";

/** Takes what is expected off the front of the text; false, and nothing is taken, where it begins otherwise.
 */
inline bool take(std::string_view& text, std::string_view expected) {
  if (text.substr(0, expected.size()) != expected) return false;
  text.remove_prefix(expected.size());
  return true;
}

}  // namespace whiteline
