#include "native/media/hap/snappy_block.h"

#include <snappy.h>

#include "native/base/platform/processor.h"
#include "native/media/hap/snappy_block_avx2.h"

namespace whiteline {
namespace {

bool expandBaseline(const uint8_t* block, size_t blockBytes, uint8_t* target) {
  return snappy::RawUncompress(reinterpret_cast<const char*>(block), blockBytes,
                               reinterpret_cast<char*>(target));
}

using Expander = bool (*)(const uint8_t* block, size_t blockBytes, uint8_t* target);

Expander expanderOf(SnappyBuild build) {
#if WHITELINE_SNAPPY_AVX2
  if (build == SnappyBuild::Avx2) return whitelineExpandSnappyAvx2;
#endif
  static_cast<void>(build);
  return expandBaseline;
}

}  // namespace

SnappyBuild bestSnappyBuild() {
#if WHITELINE_SNAPPY_AVX2
  if (processorFeatures().avx2AndBmi) return SnappyBuild::Avx2;
#endif
  return SnappyBuild::Baseline;
}

std::optional<uint32_t> snappyExpandedBytes(std::span<const uint8_t> block) {
  size_t size = 0;
  if (!snappy::GetUncompressedLength(reinterpret_cast<const char*>(block.data()), block.size(), &size)) {
    return std::nullopt;
  }
  return static_cast<uint32_t>(size);
}

bool expandSnappy(std::span<const uint8_t> block, std::span<uint8_t> target, SnappyBuild build) {
  // The library writes what the block's head promises, so that has to fit before it starts.
  if (snappyExpandedBytes(block) != target.size()) return false;
  return expanderOf(build)(block.data(), block.size(), target.data());
}

}  // namespace whiteline
