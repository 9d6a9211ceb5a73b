#include "native/core/pipeline/frame_spoiler.h"

#include <cstring>

#include "native/core/pattern/grey.h"

namespace whiteline {
namespace {

/** One kept by the output since the call before, one in the making. */
constexpr size_t kUsualCopies = 2;
constexpr size_t kCheckOffset = 14;

}  // namespace

FrameSpoiler::FrameSpoiler(int width, int height, PixelFormat format)
    : pool_(width, height, format, kUsualCopies),
      width_(width),
      height_(height),
      reader_(width, height, format),
      stamper_(width, height, format) {}

bool FrameSpoiler::fits(const Picture& picture) const {
  return picture.width == width_ && picture.height == height_ && picture.format == pool_.format();
}

std::shared_ptr<Frame> FrameSpoiler::copyOf(const Frame& frame) {
  std::shared_ptr<Frame> copy = pool_.acquire();
  if (copy == nullptr) {
    // Frames that are held back take more.
    pool_.setCapacity(pool_.allocated() + 1);
    copy = pool_.acquire();
  }
  std::memcpy(copy->picture().data, frame.picture().data, pictureBytes(width_, height_, pool_.format()));
  copy->slot = frame.slot;
  copy->releaseTimeUs = frame.releaseTimeUs;
  return copy;
}

void FrameSpoiler::tear(Frame& frame) const {
  CodeReading reading = reader_.read(frame.picture());
  if (reading.status == CodeStatus::Undecodable) return;
  reading.code.frameNumber -= 1;
  stamper_.stampBytes(frame.picture(), Strip::Bottom, encode(reading.code, Strip::Bottom));
}

void FrameSpoiler::damage(Frame& frame, Strip strip) const {
  const CodeReading reading = reader_.read(frame.picture());
  if (reading.status == CodeStatus::Undecodable) return;
  CodeBytes bytes = encode(reading.code, strip);
  for (size_t index = kCheckOffset; index < bytes.size(); ++index) bytes[index] ^= 0xFF;
  stamper_.stampBytes(frame.picture(), strip, bytes);
}

void FrameSpoiler::blacken(Frame& frame) {
  const Picture& picture = frame.picture();
  fillGrey(picture, {.left = 0, .top = 0, .right = picture.width, .bottom = picture.height}, kBlackLuma);
}

}  // namespace whiteline
