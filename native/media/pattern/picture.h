#pragma once

#include <cstddef>
#include <cstdint>

namespace whiteline {

/** Uyvy: 4:2:2, two pixels in four bytes U Y V Y, video levels. Bgra: four bytes a pixel, full levels. */
enum class PixelFormat : uint8_t { Uyvy, Bgra };

/** A picture in memory that another owns. Width is even; rows may be padded. */
struct Picture {
  uint8_t* data;
  int strideBytes;
  int width;
  int height;
  PixelFormat format;
};

/** The same, to read only. */
struct PictureView {
  const uint8_t* data;
  int strideBytes;
  int width;
  int height;
  PixelFormat format;

  PictureView(const uint8_t* bytes, int stride, int pixelWidth, int pixelHeight, PixelFormat pixelFormat)
      : data(bytes), strideBytes(stride), width(pixelWidth), height(pixelHeight), format(pixelFormat) {}
  /** A Picture serves wherever a view is asked for. */
  PictureView(const Picture& picture)  // NOLINT(google-explicit-constructor)
      : PictureView(picture.data, picture.strideBytes, picture.width, picture.height, picture.format) {}
};

constexpr int bytesPerPixel(PixelFormat format) {
  return format == PixelFormat::Uyvy ? 2 : 4;
}

/** Bytes of one row without padding. */
constexpr int packedStride(int width, PixelFormat format) {
  return width * bytesPerPixel(format);
}

/** Bytes of a picture whose rows are packed. */
constexpr size_t pictureBytes(int width, int height, PixelFormat format) {
  return static_cast<size_t>(packedStride(width, format)) * static_cast<size_t>(height);
}

inline uint8_t* rowOf(const Picture& picture, int y) {
  return picture.data + static_cast<ptrdiff_t>(y) * picture.strideBytes;
}

inline const uint8_t* rowOf(const PictureView& picture, int y) {
  return picture.data + static_cast<ptrdiff_t>(y) * picture.strideBytes;
}

}  // namespace whiteline
