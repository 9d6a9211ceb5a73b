#include "native/media/hap/hap_frame_decoder.h"

#include <cstring>
#include <string>

#include "native/media/hap/movie_error.h"
#include "native/media/hap/snappy_block.h"
#include "native/media/hap/snappy_pair.h"

namespace whiteline {
namespace {

constexpr size_t kColour = 0;
constexpr size_t kAlpha = 1;

void expandChunk(std::span<const uint8_t> frameBytes, const HapImage& image, size_t index, uint8_t* texture) {
  const HapChunk& chunk = image.chunks[index];
  const auto source = frameBytes.subspan(chunk.compressedOffset, chunk.compressedBytes);
  const std::span<uint8_t> target(texture + chunk.textureOffset, chunk.textureBytes);
  if (!chunk.snappy) {
    std::memcpy(target.data(), source.data(), target.size());
  } else if (!expandSnappy(source, target)) {
    throw movieDamaged("Expected a Snappy block of " + std::to_string(chunk.compressedBytes) +
                           " bytes for chunk " + std::to_string(index) +
                           " but received a damaged one at byte " + std::to_string(chunk.compressedOffset) +
                           " of the frame",
                       chunk.compressedOffset);
  }
}

/** The chunk at `index`, and the one after it where both are compressed; the chunk after those. */
size_t expandNext(std::span<const uint8_t> frameBytes, const HapImage& image, size_t index,
                  uint8_t* texture) {
  const auto bytesOf = [&](const HapChunk& chunk) {
    return frameBytes.subspan(chunk.compressedOffset, chunk.compressedBytes);
  };
  const auto placeOf = [&](const HapChunk& chunk) {
    return std::span<uint8_t>(texture + chunk.textureOffset, chunk.textureBytes);
  };
  if (index + 1 < image.chunks.size()) {
    const HapChunk& first = image.chunks[index];
    const HapChunk& second = image.chunks[index + 1];
    // Of a damaged pair the library says which chunk it is.
    if (first.snappy && second.snappy &&
        expandSnappyPair(bytesOf(first), placeOf(first), bytesOf(second), placeOf(second))) {
      return index + 2;
    }
  }
  expandChunk(frameBytes, image, index, texture);
  return index + 1;
}

}  // namespace

HapFrameDecoder::Expansion HapFrameDecoder::prepare(std::span<const uint8_t> frameBytes, size_t image) {
  const std::vector<HapChunk>& chunks = frame_.images[image].chunks;
  if (chunks.size() == 1 && !chunks[0].snappy) {
    return {.texture = frameBytes.data() + chunks[0].compressedOffset, .scratch = nullptr};
  }
  const size_t bytes = size_t{chunks.back().textureOffset} + chunks.back().textureBytes;
  uint8_t* scratch = textures_[image].atLeast(bytes).data();
  return {.texture = scratch, .scratch = scratch};
}

const uint8_t* HapFrameDecoder::expandImage(std::span<const uint8_t> frameBytes, size_t image) {
  const Expansion expansion = prepare(frameBytes, image);
  if (expansion.scratch) {
    for (size_t chunk = 0; chunk < frame_.images[image].chunks.size();) {
      chunk = expandNext(frameBytes, frame_.images[image], chunk, expansion.scratch);
    }
  }
  return expansion.texture;
}

HapTexture HapFrameDecoder::expand(std::span<const uint8_t> frameBytes, int width, int height) {
  parseHapFrame(frameBytes, width, height, frame_);
  return {.format = frame_.images[kColour].format,
          .blocks = expandImage(frameBytes, kColour),
          .alphaBlocks = frame_.imageCount > 1 ? expandImage(frameBytes, kAlpha) : nullptr,
          .width = width,
          .height = height};
}

void HapFrameDecoder::decode(std::span<const uint8_t> frameBytes, int width, int height,
                             const Picture& target, const PictureView* background) {
  parseHapFrame(frameBytes, width, height, frame_);
  const HapImage& colour = frame_.images[kColour];
  const Expansion expansion = prepare(frameBytes, kColour);
  const HapTexture texture{
      .format = colour.format,
      .blocks = expansion.texture,
      .alphaBlocks = frame_.imageCount > 1 ? expandImage(frameBytes, kAlpha) : nullptr,
      .width = width,
      .height = height,
  };
  const BlockRows all{.first = 0, .end = blocksAcross(height)};
  if (!expansion.scratch) return decodeTextureRows(texture, all, target, background);
  // The rows of each chunk or pair while they are still in the processor's cache.
  const size_t rowBytes = bytesPerBlock(texture.format) * static_cast<size_t>(blocksAcross(width));
  BlockRows rows{.first = 0, .end = 0};
  for (size_t index = 0; index < colour.chunks.size();) {
    index = expandNext(frameBytes, colour, index, expansion.scratch);
    const HapChunk& chunk = colour.chunks[index - 1];
    const size_t filled = size_t{chunk.textureOffset} + chunk.textureBytes;
    rows = {.first = rows.end, .end = static_cast<int>(filled / rowBytes)};
    decodeTextureRows(texture, rows, target, background);
  }
}

}  // namespace whiteline
