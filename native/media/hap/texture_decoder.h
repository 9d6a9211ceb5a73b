#pragma once

#include <cstdint>

#include "native/media/hap/texture.h"
#include "native/media/hap/texture_instruction_set.h"
#include "native/media/pattern/picture.h"

namespace whiteline {

/** The blocks of a Hap picture. `width` and `height` are the picture's, not padded; width may be odd. */
struct HapTexture {
  TextureFormat format;
  const uint8_t* blocks;
  /** Bc4Alpha blocks of Hap Q Alpha, otherwise null. */
  const uint8_t* alphaBlocks;
  int width;
  int height;
};

/** Rows of blocks, four rows of pixels each. */
struct BlockRows {
  int first;
  int end;
};

/**
 * Decodes a texture into a picture, exact to one step of the reference in docs/hap.md on every byte.
 *
 * Uyvy: BT.709 video levels from 720 lines up, BT.601 below. Bgra: full levels, straight alpha (255 where the
 * format has none). An odd width is padded by repeating the last pixel, so `target.width` is the texture's
 * width rounded up to even (Bgra takes the width itself too). `background`: where the texture has alpha, the
 * picture is composed over it (same size and format as the target; Bgra then comes out opaque); null: Uyvy
 * ignores alpha, Bgra keeps it. A texture without alpha ignores it. Bc4Alpha alone is a picture in grey,
 * opaque.
 */
void decodeTexture(const HapTexture& texture, const Picture& target, const PictureView* background,
                   InstructionSet instructions = bestInstructionSet());

/** The same for some rows of blocks only, while they are at hand: the others need not be filled in yet. */
void decodeTextureRows(const HapTexture& texture, BlockRows rows, const Picture& target,
                       const PictureView* background, InstructionSet instructions = bestInstructionSet());

}  // namespace whiteline
