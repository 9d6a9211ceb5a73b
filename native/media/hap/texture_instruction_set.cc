#include "native/media/hap/texture_instruction_set.h"

#include "native/base/platform/processor.h"

namespace whiteline {

InstructionSet bestInstructionSet() {
  const ProcessorFeatures& processor = processorFeatures();
  if (processor.neon) return InstructionSet::Neon;
  if (processor.avx512) return InstructionSet::Avx512;
  if (processor.avx2) return InstructionSet::Avx2;
  if (processor.sse41) return InstructionSet::Sse41;
  return InstructionSet::Scalar;
}

std::vector<InstructionSet> availableInstructionSets() {
  const ProcessorFeatures& processor = processorFeatures();
  std::vector<InstructionSet> sets{InstructionSet::Scalar};
  if (processor.sse41) sets.push_back(InstructionSet::Sse41);
  if (processor.avx2) sets.push_back(InstructionSet::Avx2);
  if (processor.avx512) sets.push_back(InstructionSet::Avx512);
  if (processor.neon) sets.push_back(InstructionSet::Neon);
  return sets;
}

const char* nameOf(InstructionSet instructions) {
  switch (instructions) {
    case InstructionSet::Sse41:
      return "SSE4.1";
    case InstructionSet::Avx2:
      return "AVX2";
    case InstructionSet::Avx512:
      return "AVX-512";
    case InstructionSet::Neon:
      return "NEON";
    case InstructionSet::Scalar:
      break;
  }
  return "scalar";
}

}  // namespace whiteline
