#pragma once

#include <cstddef>
#include <cstdint>

#include "native/core/hap/texture_kernel.h"
#include "native/core/hap/texture_vector_sources.h"
#include "native/core/hap/texture_vector_writers.h"

/**
 * The kernels of every instruction set, written once over a class `Simd` that names its instructions.
 * Included by one file for each set. All of it has internal linkage, for the reason told in
 * texture_arithmetic.h.
 *
 * A vector has `Simd::kLanes` lanes of 16 bytes, a lane takes two blocks A and B side by side, and what is
 * done to pixels is done to two of their rows at once. In a lane, 16 pixels lie as the first row of A, the
 * first row of B, the second row of A, the second row of B (four pixels each); eight palette entries lie as
 * four of A, four of B.
 */
namespace whiteline {
namespace {

template <class Simd, template <class> class Source, template <class> class Writer>
int decodeStrip(const Strip& strip) {
  constexpr int kStep = 2 * Simd::kLanes;
  const Writer<Simd> writer(strip);
  int block = 0;
  for (; block + kStep <= strip.blockCount; block += kStep) {
    const Source<Simd> source(strip, block);
    const ptrdiff_t column = ptrdiff_t{block} * 4 * Writer<Simd>::kPixelBytes;
    uint8_t* target = strip.target + column;
    const uint8_t* background = Writer<Simd>::kOver ? strip.background + column : nullptr;
    writer.write(source.rows(0), target, strip.targetStride, background, strip.backgroundStride);
    writer.write(source.rows(1), target + 2 * strip.targetStride, strip.targetStride,
                 background + 2 * strip.backgroundStride, strip.backgroundStride);
  }
  return block;
}

template <class Simd, template <class> class Source>
constexpr void addKernels(StripKernels& kernels) {
  auto& of = kernels.of[static_cast<int>(Source<Simd>::kKind)];
  of[static_cast<int>(StripTarget::Uyvy)] = decodeStrip<Simd, Source, UyvyWriter>;
  of[static_cast<int>(StripTarget::Bgra)] = decodeStrip<Simd, Source, BgraWriter>;
  if constexpr (Source<Simd>::kAlpha) {
    of[static_cast<int>(StripTarget::UyvyOver)] = decodeStrip<Simd, Source, UyvyOverWriter>;
    of[static_cast<int>(StripTarget::BgraOver)] = decodeStrip<Simd, Source, BgraOverWriter>;
  }
}

template <class Simd>
constexpr StripKernels stripKernels() {
  StripKernels kernels{};
  addKernels<Simd, Bc1Source>(kernels);
  addKernels<Simd, Bc3Source>(kernels);
  addKernels<Simd, YCoCgSource>(kernels);
  addKernels<Simd, YCoCgAlphaSource>(kernels);
  addKernels<Simd, AlphaSource>(kernels);
  addKernels<Simd, PlanarSource>(kernels);
  return kernels;
}

}  // namespace
}  // namespace whiteline
