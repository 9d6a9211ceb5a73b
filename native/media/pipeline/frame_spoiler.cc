#include "native/media/pipeline/frame_spoiler.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "native/media/pattern/grey.h"

namespace whiteline {
namespace {

/** One kept by the output since the call before, one in the making. */
constexpr size_t kUsualCopies = 2;
constexpr size_t kCheckOffset = 14;

/** A pixel pair of UYVY, or a pixel of BGRA. */
template <class Change>
void forEachFourBytes(const Picture& picture, Change&& change) {
  const int rowBytes = packedStride(picture.width, picture.format);
  for (int y = 0; y < picture.height; ++y) {
    uint8_t* const row = rowOf(picture, y);
    for (int byte = 0; byte < rowBytes; byte += 4) change(row + byte);
  }
}

uint8_t dimmed(uint8_t level, uint8_t black) {
  const int above = std::max(0, level - black);
  return static_cast<uint8_t>(black + above * 2 / 5);
}

}  // namespace

FrameSpoiler::FrameSpoiler(int width, int height, PixelFormat format)
    : pool_(width, height, format, kUsualCopies),
      smallPool_(width / 4 * 2, height / 2, format, kUsualCopies),
      width_(width),
      height_(height),
      reader_(width, height, format),
      stamper_(width, height, format) {}

bool FrameSpoiler::fits(const Picture& picture) const {
  return picture.width == width_ && picture.height == height_ && picture.format == pool_.format();
}

std::shared_ptr<Frame> FrameSpoiler::copyOf(const Frame& frame) {
  std::shared_ptr<Frame> copy = frameOf(pool_, frame);
  std::memcpy(copy->picture().data, frame.picture().data, pictureBytes(width_, height_, pool_.format()));
  return copy;
}

std::shared_ptr<Frame> FrameSpoiler::frameOf(FramePool& pool, const Frame& original) const {
  std::shared_ptr<Frame> frame = pool.acquire();
  if (frame == nullptr) {
    // Frames that are held back take more.
    pool.setCapacity(pool.allocated() + 1);
    frame = pool.acquire();
  }
  frame->slot = original.slot;
  frame->releaseTimeUs = original.releaseTimeUs;
  return frame;
}

void FrameSpoiler::tear(Frame& frame) const {
  CodeReading reading = reader_.read(frame.picture());
  if (reading.status == PictureStatus::Undecodable) return;
  reading.code.frameNumber -= 1;
  stamper_.stampBytes(frame.picture(), Strip::Bottom, encode(reading.code, Strip::Bottom));
}

void FrameSpoiler::tearMiddle(Frame& frame, const Frame& other) const {
  const int bottom = StripGeometry(width_, height_).contentEnd();
  copyRows(other, frame, height_ / 2, bottom);
}

void FrameSpoiler::leaveBand(Frame& frame, const Frame& other) const {
  const StripGeometry geometry(width_, height_);
  const int top = geometry.contentBegin();
  const int third = (geometry.contentEnd() - top) / 3;
  copyRows(other, frame, top + third, top + 2 * third);
}

void FrameSpoiler::copyRows(const Frame& from, Frame& to, int top, int bottom) const {
  const auto rowBytes = static_cast<size_t>(packedStride(width_, pool_.format()));
  for (int y = top; y < bottom; ++y) {
    std::memcpy(rowOf(to.picture(), y), rowOf(from.picture(), y), rowBytes);
  }
}

void FrameSpoiler::damage(Frame& frame, Strip strip) const {
  const CodeReading reading = reader_.read(frame.picture());
  if (reading.status == PictureStatus::Undecodable) return;
  CodeBytes bytes = encode(reading.code, strip);
  for (size_t index = kCheckOffset; index < bytes.size(); ++index) bytes[index] ^= 0xFF;
  stamper_.stampBytes(frame.picture(), strip, bytes);
}

void FrameSpoiler::blacken(Frame& frame) {
  const Picture& picture = frame.picture();
  fillGrey(picture, {.left = 0, .top = 0, .right = picture.width, .bottom = picture.height}, kBlackLuma);
}

void FrameSpoiler::tintGreen(Frame& frame) {
  forEachFourBytes(frame.picture(), [](uint8_t* bytes) { bytes[0] = bytes[2] = 0; });
}

void FrameSpoiler::swapChroma(Frame& frame) {
  forEachFourBytes(frame.picture(), [](uint8_t* bytes) { std::swap(bytes[0], bytes[2]); });
}

void FrameSpoiler::dim(Frame& frame) {
  const bool isUyvy = frame.picture().format == PixelFormat::Uyvy;
  forEachFourBytes(frame.picture(), [isUyvy](uint8_t* bytes) {
    if (isUyvy) {
      bytes[1] = dimmed(bytes[1], kBlackLuma);
      bytes[3] = dimmed(bytes[3], kBlackLuma);
    } else {
      for (int colour = 0; colour < 3; ++colour) bytes[colour] = dimmed(bytes[colour], 0);
    }
  });
}

std::shared_ptr<Frame> FrameSpoiler::shrunk(const Frame& frame) {
  std::shared_ptr<Frame> small = frameOf(smallPool_, frame);
  const Picture& to = small->picture();
  constexpr size_t kGroup = 4;
  for (int y = 0; y < to.height; ++y) {
    const uint8_t* from = rowOf(frame.picture(), 2 * y);
    uint8_t* const row = rowOf(to, y);
    const auto rowBytes = static_cast<size_t>(packedStride(to.width, to.format));
    // A pixel pair of UYVY, a pixel of BGRA.
    for (size_t byte = 0; byte < rowBytes; byte += kGroup) std::memcpy(row + byte, from + 2 * byte, kGroup);
  }
  return small;
}

}  // namespace whiteline
