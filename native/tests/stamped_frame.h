#pragma once

#include <cstdint>
#include <cstring>
#include <memory>
#include <vector>

#include "native/media/framecode/code_stamper.h"
#include "native/media/pipeline/frame.h"

namespace whiteline::test {

inline constexpr uint16_t kSourceId = 0x5A17;

/** A frame as a source makes it, with grey between the strips. */
inline std::shared_ptr<Frame> stampedFrame(uint64_t slot, PixelFormat format = PixelFormat::Uyvy) {
  auto frame = std::make_shared<Frame>(320, 180, format);
  const Picture& picture = frame->picture();
  std::memset(picture.data, 0x70, pictureBytes(picture.width, picture.height, picture.format));
  frame->slot = slot;
  frame->releaseTimeUs = static_cast<int64_t>(slot) + 1'000'000;
  CodeStamper(picture.width, picture.height, format)
      .stamp(picture, {kSourceId, static_cast<uint32_t>(slot), static_cast<uint64_t>(frame->releaseTimeUs)});
  return frame;
}

inline std::vector<uint8_t> bytesOf(const Frame& frame) {
  const Picture& picture = frame.picture();
  return {picture.data, picture.data + pictureBytes(picture.width, picture.height, picture.format)};
}

}  // namespace whiteline::test
