#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <span>

namespace whiteline::fuzz {

/** Ends the process where a promise is broken, which the fuzzer reports together with the input. */
inline void require(bool promise) {
  if (!promise) std::abort();
}

/** Takes numbers from the front of the fuzzer's input; zeros once it is used up. */
class Input {
 public:
  explicit Input(std::span<const uint8_t> bytes) : bytes_(bytes) {}

  uint64_t number(size_t byteCount) {
    uint64_t value = 0;
    for (size_t index = 0; index < byteCount; ++index) {
      value = value << 8 | (bytes_.empty() ? 0 : bytes_.front());
      if (!bytes_.empty()) bytes_ = bytes_.subspan(1);
    }
    return value;
  }

  std::span<const uint8_t> rest() const { return bytes_; }

 private:
  std::span<const uint8_t> bytes_;
};

}  // namespace whiteline::fuzz
