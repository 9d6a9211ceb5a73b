#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace whiteline {

/**
 * Integer work of a number of steps, each of which waits for the one before: a SplitMix64 hash (two
 * multiplications, three shifts), and a read and a write at the place that the hash names in a table of 256
 * words, which any core keeps in its closest cache. The result depends on every step.
 */
uint64_t integerWork(uint64_t steps);

/** Memory work: copies as the C library does, like frames are copied. Both are of one size. */
void memoryWork(std::span<const uint8_t> from, std::span<uint8_t> to);

}  // namespace whiteline
