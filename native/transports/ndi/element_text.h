#pragma once

#include <string_view>

namespace whiteline {

/** The end of each of our XML elements. */
inline constexpr std::string_view kElementEnd = "\"/>";

/** Without white space and null bytes around it. */
inline std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kAround(" \t\r\n\0", 5);
  const size_t begin = text.find_first_not_of(kAround);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(kAround) + 1 - begin);
}

/** Removes `expected` from the front of the text; false, and the text stays, if it begins otherwise. */
inline bool take(std::string_view& text, std::string_view expected) {
  if (text.substr(0, expected.size()) != expected) return false;
  text.remove_prefix(expected.size());
  return true;
}

}  // namespace whiteline
