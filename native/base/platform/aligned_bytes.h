#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "native/base/platform/page_memory.h"

namespace whiteline {

/** A buffer aligned to a page, reused: it only grows, and its old contents are not kept when it does. */
class AlignedBytes {
 public:
  static constexpr size_t kAlignment = 4096;

  /** At least `size` bytes. */
  std::span<uint8_t> atLeast(size_t size) {
    if (size > memory_.size()) memory_ = PageMemory(size);
    return {memory_.data(), size};
  }
  uint8_t* data() { return memory_.data(); }
  const uint8_t* data() const { return memory_.data(); }
  size_t capacity() const { return memory_.size(); }

 private:
  PageMemory memory_;
};

}  // namespace whiteline
