#include "native/media/framecode/code_stamper.h"

#include <cstring>

#include "native/media/pattern/grey.h"

namespace whiteline {

CodeStamper::CodeStamper(int width, int height, PixelFormat format)
    : geometry_(width, height), rowBytes_(static_cast<size_t>(packedStride(width, format))) {
  for (int column = 0; column <= StripGeometry::kColumns; ++column) {
    columnOffsets_[static_cast<size_t>(column)] =
        static_cast<size_t>(packedStride(geometry_.columnBegin(column), format));
  }
  for (size_t bit = 0; bit < bitRows_.size(); ++bit) {
    bitRows_[bit].resize(rowBytes_);
    fillGreyPixels(bitRows_[bit].data(), width, bit == 1 ? kWhiteLuma : kBlackLuma, format);
  }
}

void CodeStamper::stamp(const Picture& picture, const FrameCode& code) const {
  for (const Strip strip : {Strip::Top, Strip::Bottom}) stampBytes(picture, strip, encode(code, strip));
}

void CodeStamper::stampBytes(const Picture& picture, Strip strip, const CodeBytes& bytes) const {
  constexpr size_t kColumns = StripGeometry::kColumns;
  for (int row = 0; row < StripGeometry::kRows; ++row) {
    const int firstY = geometry_.rowBegin(strip, row);
    uint8_t* const first = rowOf(picture, firstY);
    for (size_t column = 0; column < kColumns; ++column) {
      const size_t bitIndex = static_cast<size_t>(row) * kColumns + column;
      const size_t bit = bytes[bitIndex / 8] >> (7 - bitIndex % 8) & 1;
      const size_t begin = columnOffsets_[column];
      std::memcpy(first + begin, bitRows_[bit].data() + begin, columnOffsets_[column + 1] - begin);
    }
    for (int y = firstY + 1; y < geometry_.rowEnd(strip, row); ++y) {
      std::memcpy(rowOf(picture, y), first, rowBytes_);
    }
  }
}

}  // namespace whiteline
