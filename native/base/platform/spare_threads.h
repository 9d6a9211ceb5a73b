#pragma once

#include <cstddef>

namespace whiteline {

/**
 * Starts `count` threads at once and ends them: to be called before a library that ends the process if one of
 * its threads is refused.
 * @throws Error THREADS_EXHAUSTED if the system refuses them
 */
void requireSpareThreads(size_t count);

}  // namespace whiteline
