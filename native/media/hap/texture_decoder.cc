#include "native/media/hap/texture_decoder.h"

#include <algorithm>
#include <array>
#include <cassert>

#include "native/media/hap/texture_block.h"
#include "native/media/hap/texture_kernel.h"

namespace whiteline {
namespace {

constexpr int kBlockSide = 4;
/** Blocks of the formats without a kernel of their own that are expanded before a kernel takes them over. */
constexpr int kExpandedBlocks = 64;

const StripKernels* kernelsOf(InstructionSet instructions) {
  switch (instructions) {
#if WHITELINE_X86_KERNELS
    case InstructionSet::Sse41:
      return &kSse41Kernels;
    case InstructionSet::Avx2:
      return &kAvx2Kernels;
    case InstructionSet::Avx512:
      return &kAvx512Kernels;
#endif
#if WHITELINE_NEON_KERNELS
    case InstructionSet::Neon:
      return &kNeonKernels;
#endif
    default:
      return nullptr;
  }
}

BlockKind kindOf(TextureFormat format, bool withAlphaBlocks) {
  switch (format) {
    case TextureFormat::Bc1Rgb:
      return BlockKind::Bc1;
    case TextureFormat::Bc3Rgba:
      return BlockKind::Bc3;
    case TextureFormat::Bc3ScaledYCoCg:
      return withAlphaBlocks ? BlockKind::YCoCgAlpha : BlockKind::YCoCg;
    case TextureFormat::Bc4Alpha:
      return BlockKind::Alpha;
    case TextureFormat::Bc7Rgba:
    case TextureFormat::Bc6hUnsigned:
    case TextureFormat::Bc6hSigned:
      break;
  }
  return BlockKind::Planar;
}

bool textureHasAlpha(const HapTexture& texture) {
  return texture.format == TextureFormat::Bc3Rgba || texture.format == TextureFormat::Bc7Rgba ||
         texture.alphaBlocks != nullptr;
}

/** Decodes one texture into one picture, row of blocks by row of blocks. */
class RowDecoder {
 public:
  RowDecoder(const HapTexture& texture, const Picture& target, const PictureView* background,
             InstructionSet instructions)
      : texture_(texture),
        target_(target),
        background_(textureHasAlpha(texture) ? background : nullptr),
        matrix_(texture.height >= 720 ? kVideo709 : kVideo601),
        videoPatterns_(texture.height >= 720 ? kVideoPatterns709 : kVideoPatterns601),
        kind_(kindOf(texture.format, usesAlphaBlocks())),
        kernel_(kernel(instructions)) {}

  void decode(int blockRow) const {
    const int across = blocksAcross(texture_.width);
    int done = 0;
    if (kernel_ && (blockRow + 1) * kBlockSide <= texture_.height) {
      const int whole = texture_.width / kBlockSide;
      done = kind_ == BlockKind::Planar ? decodeExpanded(blockRow, whole)
                                        : kernel_(stripAt(blockRow, 0, whole, blockAt(blockRow, 0)));
    }
    for (int column = done; column < across; ++column) decodeAlone(blockRow, column);
  }

 private:
  /** Alpha that shows nowhere is not worth expanding. */
  bool usesAlphaBlocks() const {
    return texture_.alphaBlocks != nullptr && (background_ || target_.format == PixelFormat::Bgra);
  }

  StripKernel kernel(InstructionSet instructions) const {
    const StripKernels* kernels = kernelsOf(instructions);
    if (!kernels) return nullptr;
    const bool uyvy = target_.format == PixelFormat::Uyvy;
    const StripTarget plain = uyvy ? StripTarget::Uyvy : StripTarget::Bgra;
    const StripTarget over = uyvy ? StripTarget::UyvyOver : StripTarget::BgraOver;
    return kernels->of[static_cast<int>(kind_)][static_cast<int>(background_ ? over : plain)];
  }

  size_t blockIndex(int blockRow, int column) const {
    return static_cast<size_t>(blockRow) * static_cast<size_t>(blocksAcross(texture_.width)) +
           static_cast<size_t>(column);
  }

  const uint8_t* blockAt(int blockRow, int column) const {
    return texture_.blocks + blockIndex(blockRow, column) * bytesPerBlock(texture_.format);
  }

  const uint8_t* alphaBlockAt(int blockRow, int column) const {
    if (!usesAlphaBlocks()) return nullptr;
    return texture_.alphaBlocks + blockIndex(blockRow, column) * bytesPerBlock(TextureFormat::Bc4Alpha);
  }

  size_t columnBytes(int column) const {
    return static_cast<size_t>(packedStride(column * kBlockSide, target_.format));
  }

  uint8_t* targetAt(int blockRow, int column) const {
    return rowOf(target_, blockRow * kBlockSide) + columnBytes(column);
  }

  const uint8_t* backgroundAt(int blockRow, int column) const {
    return background_ ? rowOf(*background_, blockRow * kBlockSide) + columnBytes(column) : nullptr;
  }

  BlockStrip stripAt(int blockRow, int column, int blockCount, const uint8_t* blocks) const {
    return {.blocks = blocks,
            .alphaBlocks = alphaBlockAt(blockRow, column),
            .blockCount = blockCount,
            .target = targetAt(blockRow, column),
            .targetStride = target_.strideBytes,
            .background = backgroundAt(blockRow, column),
            .backgroundStride = background_ ? background_->strideBytes : 0,
            .video = &videoPatterns_};
  }

  int decodeExpanded(int blockRow, int blockCount) const {
    std::array<PlanarBlock, kExpandedBlocks> expanded;
    int done = 0;
    while (done < blockCount) {
      const int count = std::min(blockCount - done, kExpandedBlocks);
      for (int index = 0; index < count; ++index) {
        decodeBlock(texture_.format, blockAt(blockRow, done + index), nullptr,
                    expanded[static_cast<size_t>(index)]);
      }
      const auto* blocks = reinterpret_cast<const uint8_t*>(expanded.data());
      const int taken = kernel_(stripAt(blockRow, done, count, blocks));
      done += taken;
      if (taken < count) break;
    }
    return done;
  }

  void decodeAlone(int blockRow, int column) const {
    PlanarBlock pixels;
    decodeBlock(texture_.format, blockAt(blockRow, column), alphaBlockAt(blockRow, column), pixels);
    const int inTexture = std::min(kBlockSide, texture_.width - column * kBlockSide);
    const int inTarget = std::min(kBlockSide, target_.width - column * kBlockSide);
    if (inTexture < inTarget) repeatColumn(pixels, inTexture);
    const BlockTarget target{
        .pixels = targetAt(blockRow, column),
        .stride = target_.strideBytes,
        .background = backgroundAt(blockRow, column),
        .backgroundStride = background_ ? background_->strideBytes : 0,
        .columns = inTarget,
        .rows = std::min(kBlockSide, texture_.height - blockRow * kBlockSide),
    };
    if (target_.format == PixelFormat::Uyvy) {
      writeUyvy(pixels, matrix_, target);
    } else {
      writeBgra(pixels, target);
    }
  }

  static void repeatColumn(PlanarBlock& pixels, int column) {
    for (int row = 0; row < kBlockSide; ++row) {
      const int to = row * kBlockSide + column;
      pixels.red[to] = pixels.red[to - 1];
      pixels.green[to] = pixels.green[to - 1];
      pixels.blue[to] = pixels.blue[to - 1];
      pixels.alpha[to] = pixels.alpha[to - 1];
    }
  }

  const HapTexture& texture_;
  const Picture& target_;
  const PictureView* const background_;
  const VideoMatrix& matrix_;
  const VideoPatterns& videoPatterns_;
  const BlockKind kind_;
  const StripKernel kernel_;
};

}  // namespace

void decodeTexture(const HapTexture& texture, const Picture& target, const PictureView* background,
                   InstructionSet instructions) {
  decodeTextureRows(texture, {.first = 0, .end = blocksAcross(texture.height)}, target, background,
                    instructions);
}

void decodeTextureRows(const HapTexture& texture, BlockRows rows, const Picture& target,
                       const PictureView* background, InstructionSet instructions) {
  assert(target.height == texture.height);
  assert(target.width == (texture.width + 1) / 2 * 2 ||
         (target.width == texture.width && target.format == PixelFormat::Bgra));
  assert(!background || (background->width == target.width && background->height == target.height &&
                         background->format == target.format));
  const RowDecoder decoder(texture, target, background, instructions);
  for (int row = rows.first; row < rows.end; ++row) decoder.decode(row);
}

}  // namespace whiteline
