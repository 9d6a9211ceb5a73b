#pragma once

#include <cstdio>
#include <filesystem>
#include <string>

namespace whiteline {

/**
 * A path as this system opens it. Our own texts are UTF-8 everywhere; on Windows this is UTF-16, and may be
 * longer than the 260 characters of old.
 */
std::filesystem::path systemPath(const std::string& utf8);

/** The opposite: for texts and messages. */
std::string utf8Of(const std::filesystem::path& path);

/** As fopen, for a path in UTF-8. */
std::FILE* openFile(const std::string& utf8, const char* mode);

}  // namespace whiteline
