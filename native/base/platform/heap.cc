#include "native/base/platform/heap.h"

#include <cstdlib>

#if defined(__GLIBC__)
#include <malloc.h>
#endif

namespace whiteline {

void trimHeap() {
#if defined(__GLIBC__)
  malloc_trim(0);
#endif
}

}  // namespace whiteline
