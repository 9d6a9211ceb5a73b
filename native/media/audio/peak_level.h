#pragma once

#include <atomic>
#include <optional>

#include "native/media/pipeline/incoming.h"

namespace whiteline {

/** How loud sound is, over all its channels: heard by one thread, taken by another. */
class PeakLevel {
 public:
  /** Quieter than that is silence, and shown as that. */
  static constexpr float kFloorDbfs = -120;

  void hear(const IncomingAudio& audio);
  /** The loudest sample since it was last taken, full scale being 1. Nothing: no sound came that we read. */
  std::optional<float> takeDbfs();

 private:
  static constexpr float kNothing = -1;

  std::atomic<float> peak_{kNothing};
};

}  // namespace whiteline
