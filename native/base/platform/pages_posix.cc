#include <sys/mman.h>

#include <cstdlib>

#include "native/base/platform/pages.h"

#if defined(__SANITIZE_ADDRESS__)
#define WHITELINE_ADDRESS_SANITIZER 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define WHITELINE_ADDRESS_SANITIZER 1
#endif
#endif

namespace whiteline {

#if defined(WHITELINE_ADDRESS_SANITIZER)

/** From the heap, where AddressSanitizer sees what lies after the block and what is used after it. */
uint8_t* takePages(size_t bytes) {
  constexpr size_t kPageBytes = 4096;
  void* pages = nullptr;
  return posix_memalign(&pages, kPageBytes, bytes) == 0 ? static_cast<uint8_t*>(pages) : nullptr;
}

void givePagesBack(uint8_t* pages, size_t) {
  std::free(pages);
}

#else

uint8_t* takePages(size_t bytes) {
  void* const pages = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  return pages == MAP_FAILED ? nullptr : static_cast<uint8_t*>(pages);
}

void givePagesBack(uint8_t* pages, size_t bytes) {
  munmap(pages, bytes);
}

#endif

}  // namespace whiteline
