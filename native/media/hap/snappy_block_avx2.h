#pragma once

#include <cstddef>
#include <cstdint>

/**
 * Expands a Snappy block with the build of the library for AVX2 and BMI2 (only where WHITELINE_SNAPPY_AVX2 is
 * 1). `target` takes as many bytes as the block's head promises. False when the block is damaged.
 *
 * A plain C name, since it is the only one that is left visible of that build: see
 * third_party/CMakeLists.txt.
 */
extern "C" bool whitelineExpandSnappyAvx2(const uint8_t* block, size_t blockBytes, uint8_t* target);
