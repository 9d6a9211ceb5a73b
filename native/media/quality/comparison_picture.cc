#include "native/media/quality/comparison_picture.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>

#include "native/media/pattern/grey.h"

namespace whiteline {
namespace {

constexpr int kGap = 8;
constexpr int kRgbBytes = 3;
constexpr std::array<uint8_t, kRgbBytes> kMaskedColour{0, 0, 96};

}  // namespace

RawPicture sideBySide(const PictureView& sent, const PictureView& received) {
  RawPicture picture{
      .width = 2 * sent.width + kGap, .height = sent.height, .format = RawPicture::Format::Uyvy, .bytes = {}};
  picture.bytes.resize(pictureBytes(picture.width, picture.height, PixelFormat::Uyvy));
  const Picture target{picture.bytes.data(), packedStride(picture.width, PixelFormat::Uyvy), picture.width,
                       picture.height, PixelFormat::Uyvy};
  fillGrey(target, {.left = 0, .top = 0, .right = target.width, .bottom = target.height}, kWhiteLuma);
  const auto rowBytes = static_cast<size_t>(packedStride(sent.width, PixelFormat::Uyvy));
  for (int y = 0; y < sent.height; ++y) {
    std::memcpy(rowOf(target, y), rowOf(sent, y), rowBytes);
    std::memcpy(rowOf(target, y) + packedStride(sent.width + kGap, PixelFormat::Uyvy), rowOf(received, y),
                rowBytes);
  }
  return picture;
}

RawPicture differenceMap(const PictureView& sent, const PictureView& received, const Mask& mask) {
  RawPicture picture{
      .width = sent.width, .height = sent.height, .format = RawPicture::Format::Rgb, .bytes = {}};
  const auto rowBytes = static_cast<size_t>(sent.width) * kRgbBytes;
  picture.bytes.resize(rowBytes * static_cast<size_t>(sent.height));
  std::vector<Span> spans;
  for (int y = 0; y < sent.height; ++y) {
    uint8_t* const row = picture.bytes.data() + static_cast<size_t>(y) * rowBytes;
    for (size_t byte = 0; byte < rowBytes; ++byte) row[byte] = kMaskedColour[byte % kRgbBytes];
    keptSpans(mask, y, sent.width, 1, spans);
    for (const Span& span : spans) {
      for (int x = span.begin; x < span.end; ++x) {
        const int difference = std::abs(rowOf(sent, y)[2 * x + 1] - rowOf(received, y)[2 * x + 1]);
        std::memset(row + static_cast<size_t>(x) * kRgbBytes, std::min(255, kDifferenceGain * difference),
                    kRgbBytes);
      }
    }
  }
  return picture;
}

}  // namespace whiteline
