#pragma once

#include <string_view>

namespace whiteline {

/** The end of each of our XML elements. */
inline constexpr std::string_view kElementEnd = "\"/>";

/** Removes `expected` from the front of the text; false, and the text stays, if it begins otherwise. */
inline bool take(std::string_view& text, std::string_view expected) {
  if (text.substr(0, expected.size()) != expected) return false;
  text.remove_prefix(expected.size());
  return true;
}

}  // namespace whiteline
