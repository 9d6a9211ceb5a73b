#include <sys/mman.h>

#include <new>

#include "native/core/platform/pages.h"

#if defined(__SANITIZE_ADDRESS__)
#define WHITELINE_ADDRESS_SANITIZER 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define WHITELINE_ADDRESS_SANITIZER 1
#endif
#endif

namespace whiteline {

#if defined(WHITELINE_ADDRESS_SANITIZER)

namespace {

constexpr std::align_val_t kPage{4096};

}  // namespace

/** From the heap, where AddressSanitizer sees what lies behind the block and what is used after it. */
uint8_t* takePages(size_t bytes) {
  return static_cast<uint8_t*>(::operator new(bytes, kPage, std::nothrow));
}

void givePagesBack(uint8_t* pages, size_t) {
  ::operator delete(pages, kPage);
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
