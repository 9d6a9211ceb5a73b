#pragma once

#include <cstdio>
#include <string>

namespace whiteline::helpers {

/** No command is longer. */
inline constexpr size_t kMostLineBytes = 1 << 20;

/** The next line without its end; false when there is none. @throws MessageError for one that is too long */
bool readLine(std::FILE* file, std::string& line);

}  // namespace whiteline::helpers
