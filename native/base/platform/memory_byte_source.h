#pragma once

#include <algorithm>
#include <cstring>
#include <utility>

#include "native/base/platform/aligned_bytes.h"
#include "native/base/platform/byte_source.h"

namespace whiteline {

/** Bytes held in memory. */
class MemoryByteSource final : public ByteSource {
 public:
  /** The first `sizeBytes` of `bytes`, which holds as many. */
  MemoryByteSource(AlignedBytes bytes, size_t sizeBytes) : bytes_(std::move(bytes)), sizeBytes_(sizeBytes) {}
  explicit MemoryByteSource(std::span<const uint8_t> copied) : sizeBytes_(copied.size()) {
    const std::span<uint8_t> target = bytes_.atLeast(sizeBytes_);
    std::copy(copied.begin(), copied.end(), target.begin());
  }

  uint64_t sizeBytes() const override { return sizeBytes_; }
  size_t readAt(uint64_t offset, std::span<uint8_t> target) const override {
    if (offset >= sizeBytes_ || target.empty()) return 0;
    const size_t count = static_cast<size_t>(std::min<uint64_t>(target.size(), sizeBytes_ - offset));
    std::memcpy(target.data(), bytes_.data() + offset, count);
    return count;
  }
  std::span<const uint8_t> inMemory() const override { return {bytes_.data(), sizeBytes_}; }

 private:
  AlignedBytes bytes_;
  size_t sizeBytes_;
};

}  // namespace whiteline
