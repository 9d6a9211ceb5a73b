#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "native/base/platform/aligned_bytes.h"
#include "native/media/hap/hap_frame.h"
#include "native/media/hap/texture_decoder.h"

namespace whiteline {

/**
 * Expands and decodes frames. Holds the scratch memory for one frame; one object per thread, no allocation
 * after the first frame of a size and number of chunks.
 */
class HapFrameDecoder {
 public:
  /** Bytes of one frame → picture. A frame that is damaged leaves the target half written.
   *  @throws MovieError MOVIE_DAMAGED with the byte counted from the frame's start */
  void decode(std::span<const uint8_t> frameBytes, int width, int height, const Picture& target,
              const PictureView* background);

  /** Only as far as the compressed texture, for upload to a GPU or for viewing. Valid until the next
   * call, and no longer than `frameBytes`: what is not compressed there is not copied.
   *  @throws MovieError MOVIE_DAMAGED with the byte counted from the frame's start */
  HapTexture expand(std::span<const uint8_t> frameBytes, int width, int height);

 private:
  /** An image's texture, to be filled chunk by chunk; the frame's own bytes where they are the texture. */
  struct Expansion {
    const uint8_t* texture;
    uint8_t* scratch;
  };

  Expansion prepare(std::span<const uint8_t> frameBytes, size_t image);
  const uint8_t* expandImage(std::span<const uint8_t> frameBytes, size_t image);

  HapFrame frame_{};
  std::array<AlignedBytes, 2> textures_;
};

}  // namespace whiteline
