#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "native/media/hap/hap_variant.h"
#include "native/media/hap/texture.h"

namespace whiteline {

/** A piece of an image's texture, as it lies in the frame. */
struct HapChunk {
  bool snappy;
  /** From the start of the frame. */
  uint32_t compressedOffset;
  uint32_t compressedBytes;
  /** From the start of the texture. */
  uint32_t textureOffset;
  uint32_t textureBytes;
};

struct HapImage {
  TextureFormat format;
  /** In order; together exactly the texture. */
  std::vector<HapChunk> chunks;
};

/** The parts of a frame. One object serves for many frames: its lists keep their memory. */
struct HapFrame {
  /** The colour first; the second is the alpha of Hap Q Alpha. */
  std::array<HapImage, 2> images;
  int imageCount;
};

constexpr int kMostHapChunks = 4096;

/**
 * Reads the sections of one frame and checks them against each other and against the picture's size (1 to
 * 16384 each), so that every chunk can be expanded into its place without another look.
 *
 * Bytes after the frame's one top section are the container's padding and ignored; within a section every
 * byte is accounted for, unless a table of offsets says where the chunks lie. Instructions of unknown kinds
 * are skipped. Allocates only while the lists of `frame` grow.
 * @throws MovieError MOVIE_DAMAGED with the byte counted from the frame's start
 */
void parseHapFrame(std::span<const uint8_t> bytes, int width, int height, HapFrame& frame);

/**
 * Reads the headers of a frame's images only.
 * @throws MovieError MOVIE_DAMAGED when they are not what the track's sample description says
 */
void requireHapVariant(std::span<const uint8_t> bytes, HapVariant variant);

/** What the beginning of a frame's bytes needs to have for `requireHapHead`, or the whole frame. */
constexpr size_t kHapHeadBytes = 8;

/**
 * Reads the header of a frame's one top section only, which is all that says, without reading the frame, that
 * a frame lies here.
 * @throws MovieError MOVIE_DAMAGED when it does not fit `frameBytes`, or is of another variant
 */
void requireHapHead(std::span<const uint8_t> head, size_t frameBytes, HapVariant variant);

}  // namespace whiteline
