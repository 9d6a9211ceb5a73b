#pragma once

namespace whiteline {

/**
 * Has this process write to stderr, where it is aborted (an uncaught C++ exception, in a library
 * too), which thread that was and through which libraries it was called. The process ends as it would
 * otherwise. Does nothing if the system has no backtrace, or where another program watches for aborts
 * already.
 */
void sayLastWords() noexcept;

}  // namespace whiteline
