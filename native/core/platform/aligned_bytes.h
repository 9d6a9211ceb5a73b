#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <span>

namespace whiteline {

/** A buffer aligned to a page, reused: it only grows, and its old contents are not kept when it does. */
class AlignedBytes {
 public:
  static constexpr size_t kAlignment = 4096;

  /** At least `size` bytes. */
  std::span<uint8_t> atLeast(size_t size) {
    if (size > capacity_) {
      bytes_.reset(new (std::align_val_t{kAlignment}) uint8_t[size]);
      capacity_ = size;
    }
    return {bytes_.get(), size};
  }
  uint8_t* data() { return bytes_.get(); }
  const uint8_t* data() const { return bytes_.get(); }
  size_t capacity() const { return capacity_; }

 private:
  struct Release {
    void operator()(uint8_t* bytes) const { operator delete[](bytes, std::align_val_t{kAlignment}); }
  };

  std::unique_ptr<uint8_t[], Release> bytes_;
  size_t capacity_ = 0;
};

}  // namespace whiteline
