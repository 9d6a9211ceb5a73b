#pragma once

#include <string>

namespace whiteline {

/** What Windows takes. Bytes that are no UTF-8 become U+FFFD, as in Node, which never hands them over. */
std::wstring utf16Of(const std::string& utf8);

}  // namespace whiteline
