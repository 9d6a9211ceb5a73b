#include "native/base/platform/page_memory.h"

#include <atomic>
#include <new>

#include "native/base/platform/pages.h"

namespace whiteline {
namespace {

std::atomic<uint64_t> made{0};
std::atomic<uint64_t> bytesHeld{0};

}  // namespace

PageMemory::PageMemory(size_t bytes) : data_(bytes == 0 ? nullptr : takePages(bytes)), size_(bytes) {
  if (bytes == 0) return;
  if (data_ == nullptr) throw std::bad_alloc();
  made.fetch_add(1, std::memory_order_relaxed);
  bytesHeld.fetch_add(bytes, std::memory_order_relaxed);
}

PageMemory::~PageMemory() {
  if (data_ == nullptr) return;
  bytesHeld.fetch_sub(size_, std::memory_order_relaxed);
  givePagesBack(data_, size_);
}

PageMemory::Use PageMemory::use() {
  return {made.load(std::memory_order_relaxed), bytesHeld.load(std::memory_order_relaxed)};
}

}  // namespace whiteline
