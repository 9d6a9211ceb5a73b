#pragma once

#include <cstddef>
#include <cstdint>

#include "native/media/hap/texture_patterns.h"

namespace whiteline {

/** 4×4 pixels, row by row, each channel apart; full-range RGB and straight alpha. */
struct PlanarBlock {
  uint8_t red[16];
  uint8_t green[16];
  uint8_t blue[16];
  uint8_t alpha[16];
};

/** What a kernel reads. Planar: blocks that were expanded already. */
enum class BlockKind : uint8_t { Bc1 = 0, Bc3 = 1, YCoCg = 2, YCoCgAlpha = 3, Alpha = 4, Planar = 5 };
constexpr int kBlockKinds = 6;

/** What it writes; …Over: composed over a background. */
enum class StripTarget : uint8_t { Uyvy = 0, UyvyOver = 1, Bgra = 2, BgraOver = 3 };
constexpr int kStripTargets = 4;

/** A row of whole blocks, and the four rows of pixels that it becomes. */
struct BlockStrip {
  const uint8_t* blocks;
  /** YCoCgAlpha only. */
  const uint8_t* alphaBlocks;
  int blockCount;
  uint8_t* target;
  ptrdiff_t targetStride;
  /** …Over only. */
  const uint8_t* background;
  ptrdiff_t backgroundStride;
  const VideoPatterns* video;
};

/** Decodes as many blocks from the left as its width of step allows; how many those were. */
using StripKernel = int (*)(const BlockStrip& strip);

struct StripKernels {
  /** Null if a kind has no alpha to compose with. */
  StripKernel of[kBlockKinds][kStripTargets];
};

extern const StripKernels kSse41Kernels;
extern const StripKernels kAvx2Kernels;
extern const StripKernels kAvx512Kernels;
extern const StripKernels kNeonKernels;

}  // namespace whiteline
