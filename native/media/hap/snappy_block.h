#pragma once

#include <cstdint>
#include <optional>
#include <span>

namespace whiteline {

/** The library is built more than once; all builds give the same bytes. */
enum class SnappyBuild : uint8_t { Baseline = 0, Avx2 = 1 };

/** The fastest that this program carries and this processor runs. */
SnappyBuild bestSnappyBuild();

/** Length that a Snappy block says it expands to; none if its head is damaged. */
std::optional<uint32_t> snappyExpandedBytes(std::span<const uint8_t> block);

/** Expands a block into exactly `target`; false when the block is damaged or of another length. Never writes
 * beyond, and never allocates. */
bool expandSnappy(std::span<const uint8_t> block, std::span<uint8_t> target,
                  SnappyBuild build = bestSnappyBuild());

}  // namespace whiteline
