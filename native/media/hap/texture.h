#pragma once

#include <cstddef>
#include <cstdint>

namespace whiteline {

/** How a Hap image's blocks of 4×4 pixels are coded. */
enum class TextureFormat : uint8_t {
  Bc1Rgb = 0,
  Bc3Rgba = 1,
  Bc3ScaledYCoCg = 2,
  Bc4Alpha = 3,
  Bc7Rgba = 4,
  Bc6hUnsigned = 5,
  Bc6hSigned = 6,
};

constexpr size_t bytesPerBlock(TextureFormat format) {
  return format == TextureFormat::Bc1Rgb || format == TextureFormat::Bc4Alpha ? 8 : 16;
}

constexpr int blocksAcross(int pixels) {
  return (pixels + 3) / 4;
}

/** Bytes of a texture; sizes that are no multiple of 4 are padded to whole blocks. */
constexpr size_t textureBytes(TextureFormat format, int width, int height) {
  return bytesPerBlock(format) * static_cast<size_t>(blocksAcross(width)) *
         static_cast<size_t>(blocksAcross(height));
}

}  // namespace whiteline
