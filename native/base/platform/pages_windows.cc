// Run under Wine alone.
#include <windows.h>

#include "native/base/platform/pages.h"

namespace whiteline {

uint8_t* takePages(size_t bytes) {
  return static_cast<uint8_t*>(VirtualAlloc(nullptr, bytes, MEM_RESERVE | MEM_COMMIT, PAGE_READWRITE));
}

void givePagesBack(uint8_t* pages, size_t) {
  VirtualFree(pages, 0, MEM_RELEASE);
}

}  // namespace whiteline
