// Feeds pictures of arbitrary sizes and bytes to the code reader, and checks what must hold for every one of
// them.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <span>

#include "native/fuzz/fuzz_input.h"
#include "native/media/framecode/code_reader.h"
#include "native/media/framecode/code_stamper.h"

namespace {

using namespace whiteline;
using fuzz::Input;
using fuzz::require;

FrameCode takeCode(Input& input) {
  return {.sourceId = static_cast<uint16_t>(std::max<uint64_t>(1, input.number(2))),
          .frameNumber = static_cast<uint32_t>(input.number(4)),
          .releaseTimeUs = input.number(6)};
}

/** Repeats the input over the picture, so that a short one reaches every cell. */
void fill(std::span<uint8_t> picture, std::span<const uint8_t> bytes) {
  size_t filled = std::min(bytes.size(), picture.size());
  std::copy_n(bytes.begin(), filled, picture.begin());
  while (filled > 0 && filled < picture.size()) {
    const size_t more = std::min(filled, picture.size() - filled);
    std::copy_n(picture.begin(), more, picture.begin() + static_cast<ptrdiff_t>(filled));
    filled += more;
  }
}

void requireSound(const CodeReading& reading) {
  if (reading.status == PictureStatus::Undecodable) {
    require(std::isnan(reading.health) && reading.code.sourceId == 0);
  } else {
    require(reading.health >= 0 && reading.health <= 1);
    require(reading.code.sourceId != 0 && reading.code.releaseTimeUs >> 48 == 0);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  Input input({data, size});
  // Too small to be read, small enough to be read only, and large enough to be stamped; no larger, to be
  // fast.
  const int width = static_cast<int>(input.number(2) % 420 + 1);
  const int height = static_cast<int>(input.number(2) % 240 + 1);
  const uint64_t options = input.number(1);
  const PixelFormat format = (options & 1) == 0 ? PixelFormat::Uyvy : PixelFormat::Bgra;
  const int strideBytes = packedStride(width, format) + static_cast<int>(options >> 4);
  const FrameCode code = takeCode(input);
  const uint64_t spoiltByte = input.number(4);
  const uint8_t spoiltBits = static_cast<uint8_t>(input.number(1));

  // Exactly as large as the picture, so that one byte past it is found out.
  const size_t byteCount = static_cast<size_t>(strideBytes) * static_cast<size_t>(height - 1) +
                           static_cast<size_t>(packedStride(width, format));
  const auto bytes = std::make_unique<uint8_t[]>(byteCount);
  fill({bytes.get(), byteCount}, input.rest());
  const Picture picture{bytes.get(), strideBytes, width, height, format};
  const CodeReader reader(width, height, format);

  requireSound(reader.read(picture));
  if (!StripGeometry::fits(width, height)) return 0;

  CodeStamper(width, height, format).stamp(picture, code);
  const CodeReading stamped = reader.read(picture);
  require(stamped.status == PictureStatus::Good && stamped.code == code && stamped.health > 0.99F);

  // One spoilt byte can weaken a cell, and perhaps one strip, but never make a wrong number.
  bytes[spoiltByte % byteCount] ^= spoiltBits;
  const CodeReading spoilt = reader.read(picture);
  requireSound(spoilt);
  require(spoilt.status != PictureStatus::Undecodable && spoilt.code == code);
  return 0;
}
