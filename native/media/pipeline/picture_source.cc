#include "native/media/pipeline/picture_source.h"

namespace whiteline {

std::shared_ptr<Frame> GridPictures::next(uint64_t) {
  std::shared_ptr<Frame> frame = pool_.acquire();
  if (!frame) return nullptr;
  if (frame->hasBackground) {
    frame->removeLine();
  } else {
    paintNeutralGrid(frame->picture());
    frame->hasBackground = true;
  }
  return frame;
}

std::shared_ptr<Frame> NoisePictures::next(uint64_t slot) {
  std::shared_ptr<Frame> frame = pool_.acquire();
  if (frame) field_.paint(frame->picture(), static_cast<uint32_t>(slot));
  return frame;
}

}  // namespace whiteline
