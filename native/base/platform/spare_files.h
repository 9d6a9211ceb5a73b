#pragma once

#include <cstddef>

namespace whiteline {

/**
 * Checks that this process can open `count` more files. Call it before a library that aborts, or fails
 * without a reason, when it cannot open a file. @throws Error FILES_EXHAUSTED if it cannot
 */
void requireSpareFiles(size_t count);

}  // namespace whiteline
