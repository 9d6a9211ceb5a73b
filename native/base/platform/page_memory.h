#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>

namespace whiteline {

/**
 * Memory straight from the system, in whole pages, for pictures and what is as large: when it is let go, the
 * process is smaller by it. The heap keeps what it is given back. After the first free of a large block glibc
 * takes the next blocks of that size from the heap of the calling thread, and of each source that was closed
 * a heap of up to 64 MB stays.
 */
class PageMemory {
 public:
  struct Use {
    /** Blocks made since the process began. */
    uint64_t made;
    /** Bytes asked for and not let go. */
    uint64_t bytesHeld;
  };

  PageMemory() = default;
  /** @throws std::bad_alloc */
  explicit PageMemory(size_t bytes);
  ~PageMemory();
  PageMemory(PageMemory&& other) noexcept
      : data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)) {}
  PageMemory& operator=(PageMemory&& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    return *this;
  }

  /** Null for 0 bytes. */
  uint8_t* data() const { return data_; }
  size_t size() const { return size_; }

  /** Of the whole process; any thread. */
  static Use use();

 private:
  uint8_t* data_ = nullptr;
  size_t size_ = 0;
};

}  // namespace whiteline
