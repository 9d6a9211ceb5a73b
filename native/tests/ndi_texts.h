#pragma once

#include <string>

#include "native/transports/ndi/frame_metadata.h"

namespace whiteline::test {

/** What travels over NDI with a block of sound, and with a picture. */
inline std::string textOf(const FrameLabel& label) {
  std::string text;
  appendFrameLabel(text, label);
  return text;
}

inline std::string textOf(const FrameLabel& label, const PictureAnnouncement& picture) {
  std::string text = textOf(label);
  appendPictureAnnouncement(text, picture);
  return text;
}

}  // namespace whiteline::test
