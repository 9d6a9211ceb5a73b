#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>

#include "native/media/hap/texture_kernel.h"
#include "native/media/hap/texture_vector_sources.h"
#include "native/media/hap/texture_vector_writers.h"

/**
 * The kernels of every instruction set, written once over a class `Simd` that names its instructions.
 * Included by one file for each set. All of it has internal linkage, for the reason given in
 * texture_arithmetic.h.
 *
 * A vector has `Simd::kLanes` lanes of 16 bytes, a lane takes two blocks A and B side by side, and what is
 * done to pixels is done to two of their rows at once. In a lane, 16 pixels lie as the first row of A, the
 * first row of B, the second row of A, the second row of B (four pixels each); eight palette entries lie as
 * four of A, four of B.
 */
namespace whiteline {
namespace {

/** The blocks of some steps, side by side. */
template <class Simd, template <class> class Source, int kSteps>
struct Group {
  static constexpr int kBlocksPerStep = 2 * Simd::kLanes;
  static constexpr int kBlocks = kSteps * kBlocksPerStep;
  Source<Simd> steps[kSteps];

  WHITELINE_INLINE Group(const BlockStrip& strip, int block)
      : Group(strip, block, std::make_integer_sequence<int, kSteps>()) {}

 private:
  template <int... kStep>
  WHITELINE_INLINE Group(const BlockStrip& strip, int block, std::integer_sequence<int, kStep...>)
      : steps{Source<Simd>(strip, block + kStep * kBlocksPerStep)...} {}
};

/**
 * Decodes groups of `kSteps` steps, from `block` on, as long as whole groups are left.
 * @return the block after them
 */
template <class Simd, template <class> class Source, template <class> class Writer, int kSteps>
WHITELINE_INLINE int decodeGroups(const BlockStrip& strip, const Writer<Simd>& writer, int block) {
  using Blocks = Group<Simd, Source, kSteps>;
  constexpr ptrdiff_t kBytesPerBlock = 4 * Writer<Simd>::kPixelBytes;
  for (; block + Blocks::kBlocks <= strip.blockCount; block += Blocks::kBlocks) {
    const Blocks group(strip, block);
    for (int pair = 0; pair < 2; ++pair) {
      for (int step = 0; step < kSteps; ++step) {
        const ptrdiff_t column = (block + step * Blocks::kBlocksPerStep) * kBytesPerBlock;
        const int row = 2 * pair;
        const uint8_t* background =
            Writer<Simd>::kOver ? strip.background + row * strip.backgroundStride + column : nullptr;
        writer.write(group.steps[step].rows(pair), strip.target + row * strip.targetStride + column,
                     strip.targetStride, background, strip.backgroundStride);
      }
    }
  }
  return block;
}

/** As many steps at once as fill a cache line of each row: half a line now and half of it four rows later
 * costs a quarter of the time more. */
template <class Simd, template <class> class Source, template <class> class Writer>
int decodeStrip(const BlockStrip& strip) {
  constexpr int kLineBytes = 64;
  constexpr int kStepBytes = 8 * Simd::kLanes * Writer<Simd>::kPixelBytes;
  constexpr int kSteps = kStepBytes < kLineBytes ? kLineBytes / kStepBytes : 1;
  const Writer<Simd> writer(strip);
  const int block = decodeGroups<Simd, Source, Writer, kSteps>(strip, writer, 0);
  return kSteps == 1 ? block : decodeGroups<Simd, Source, Writer, 1>(strip, writer, block);
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
