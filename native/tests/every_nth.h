#pragma once

#include <cstddef>

namespace whiteline::test {

/**
 * A sanitized build takes every n-th case of a property: each costs it 10 to 30 times as much as the plain
 * build, which takes them all.
 */
#if WHITELINE_SANITIZED
inline constexpr size_t kEveryNth = 7;
#else
inline constexpr size_t kEveryNth = 1;
#endif

}  // namespace whiteline::test
