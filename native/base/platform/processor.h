#pragma once

namespace whiteline {

/** What this processor, and the system on it, can run beyond the least that the program is built for. */
struct ProcessorFeatures {
  bool sse41;
  bool avx2;
  /** Both sets of bit manipulation, besides AVX2. */
  bool avx2AndBmi;
  /** Its sets F and BW, in a processor that has VBMI too: older ones slow down all of a core for them. */
  bool avx512;
  bool neon;
};

const ProcessorFeatures& processorFeatures();

}  // namespace whiteline
