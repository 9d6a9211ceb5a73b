#pragma once

/** For the parts of a vector kernel, which are worth nothing as calls. */
#if defined(_MSC_VER)
#define WHITELINE_INLINE __forceinline
#else
#define WHITELINE_INLINE [[gnu::always_inline]] inline
#endif
