#pragma once

#include <cstdint>
#include <span>

namespace whiteline {

/**
 * Expands two Snappy blocks at once, each into exactly its target; false when either is damaged or of another
 * length. Never writes beyond a target, and never allocates. The targets may touch, but not overlap.
 *
 * Where an element ends is known only after its first byte is read, and only then can the next be read: a
 * processor waits for that most of the time. With two blocks it works on one while it waits for the other.
 */
bool expandSnappyPair(std::span<const uint8_t> firstBlock, std::span<uint8_t> firstTarget,
                      std::span<const uint8_t> secondBlock, std::span<uint8_t> secondTarget);

}  // namespace whiteline
