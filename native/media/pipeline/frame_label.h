#pragma once

#include <cstdint>

namespace whiteline {

/** Whose frame a picture or a block of sound is: travels with it, beside the pixels. */
struct FrameLabel {
  uint16_t senderId;
  /** Modulo 2³². */
  uint32_t slot;

  bool operator==(const FrameLabel&) const = default;
};

/** What a sender says of a picture, so that a receiver can judge whether it is whole. */
struct PictureAnnouncement {
  int width;
  int height;
  /** Whether the white line is drawn. */
  bool hasLine;
  /** Mean chroma of the picture (`meanChroma`), video levels. */
  uint8_t u;
  uint8_t v;

  bool operator==(const PictureAnnouncement&) const = default;
};

}  // namespace whiteline
