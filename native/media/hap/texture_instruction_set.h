#pragma once

#include <cstdint>
#include <vector>

namespace whiteline {

/** For what a texture kernel is written. In rising order of speed on one kind of processor; all give the same
 * bytes. */
enum class InstructionSet : uint8_t { Scalar = 0, Sse41 = 1, Avx2 = 2, Avx512 = 3, Neon = 4 };

/** The fastest that this processor has. */
InstructionSet bestInstructionSet();

/** All that this processor has, the slowest first. */
std::vector<InstructionSet> availableInstructionSets();

const char* nameOf(InstructionSet instructions);

}  // namespace whiteline
