#pragma once

#include <cstddef>

namespace whiteline {

/**
 * Asks the system for so many threads at once, and gives them back: to be called before a library that ends
 * the process where one of its threads is refused. @throws Error THREADS_EXHAUSTED where they are not to be
 * had
 */
void requireSpareThreads(size_t count);

}  // namespace whiteline
