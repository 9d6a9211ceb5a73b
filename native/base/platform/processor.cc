#include "native/base/platform/processor.h"

#if defined(_MSC_VER) && defined(_M_X64)
#include <immintrin.h>
#include <intrin.h>
#endif

namespace whiteline {
namespace {

#if defined(__x86_64__)

ProcessorFeatures detect() {
  __builtin_cpu_init();
  const bool avx2 = __builtin_cpu_supports("avx2") != 0;
  const bool bmi = __builtin_cpu_supports("bmi") != 0 && __builtin_cpu_supports("bmi2") != 0;
  const bool avx512 = __builtin_cpu_supports("avx512bw") != 0 && __builtin_cpu_supports("avx512vbmi") != 0;
  return {.sse41 = __builtin_cpu_supports("sse4.1") != 0,
          .avx2 = avx2,
          .avx2AndBmi = avx2 && bmi,
          .avx512 = avx2 && avx512,
          .neon = false};
}

#elif defined(_MSC_VER) && defined(_M_X64)

// Untested platform.
ProcessorFeatures detect() {
  int leaf1[4];
  int leaf7[4];
  __cpuid(leaf1, 1);
  __cpuidex(leaf7, 7, 0);
  const auto has = [](int bits, int bit) { return (bits >> bit & 1) != 0; };
  // The system must save the wide registers too.
  const auto saved = has(leaf1[2], 27) ? _xgetbv(0) : 0;
  const bool avx2 = (saved & 0x06) == 0x06 && has(leaf7[1], 5);
  const bool avx512 = avx2 && (saved & 0xE6) == 0xE6 && has(leaf7[1], 30) && has(leaf7[2], 1);
  return {.sse41 = has(leaf1[2], 19),
          .avx2 = avx2,
          .avx2AndBmi = avx2 && has(leaf7[1], 3) && has(leaf7[1], 8),
          .avx512 = avx512,
          .neon = false};
}

#elif defined(__aarch64__) || defined(_M_ARM64)

// Part of every such processor.
ProcessorFeatures detect() {
  return {.sse41 = false, .avx2 = false, .avx2AndBmi = false, .avx512 = false, .neon = true};
}

#else

ProcessorFeatures detect() {
  return {};
}

#endif

}  // namespace

const ProcessorFeatures& processorFeatures() {
  static const ProcessorFeatures features = detect();
  return features;
}

}  // namespace whiteline
