#include "native/media/pipeline/frame.h"

#include <cstring>

namespace whiteline {

Frame::Frame(int width, int height, PixelFormat format)
    : bytes_(pictureBytes(width, height, format)),
      picture_{bytes_.data(), packedStride(width, format), width, height, format} {}

void Frame::drawLine(WhiteLine line) {
  const size_t rowBytes = static_cast<size_t>(packedStride(line.width, picture_.format));
  const int offset = packedStride(line.left, picture_.format);
  underLine_.resize(rowBytes * static_cast<size_t>(picture_.height));
  uint8_t* kept = underLine_.data();
  for (int y = 0; y < picture_.height; ++y, kept += rowBytes) {
    std::memcpy(kept, rowOf(picture_, y) + offset, rowBytes);
  }
  line_ = line;
  drawWhiteLine(picture_, line);
}

void Frame::removeLine() {
  const size_t rowBytes = static_cast<size_t>(packedStride(line_.width, picture_.format));
  if (rowBytes == 0) return;
  const int offset = packedStride(line_.left, picture_.format);
  const uint8_t* kept = underLine_.data();
  for (int y = 0; y < picture_.height; ++y, kept += rowBytes) {
    std::memcpy(rowOf(picture_, y) + offset, kept, rowBytes);
  }
  line_ = {0, 0};
}

void Frame::copyWithoutLine(const Frame& other) {
  std::memcpy(picture_.data, other.picture_.data,
              pictureBytes(picture_.width, picture_.height, picture_.format));
  line_ = other.line_;
  underLine_ = other.underLine_;
  removeLine();
}

}  // namespace whiteline
