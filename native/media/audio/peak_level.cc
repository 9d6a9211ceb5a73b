#include "native/media/audio/peak_level.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>

namespace whiteline {

void PeakLevel::hear(const IncomingAudio& audio) {
  if (audio.samples == nullptr || audio.count <= 0) return;
  float peak = 0;
  for (int channel = 0; channel < audio.channels; ++channel) {
    const float* first = audio.samples + static_cast<ptrdiff_t>(channel) * audio.samplesBetweenChannels;
    // A foreign sender may send what is no number, which no comparison takes.
    for (const float sample : std::span(first, static_cast<size_t>(audio.count)))
      peak = std::max(peak, std::abs(sample));
  }
  float known = peak_.load(std::memory_order_relaxed);
  while (known < peak && !peak_.compare_exchange_weak(known, peak, std::memory_order_relaxed)) {
  }
}

std::optional<float> PeakLevel::takeDbfs() {
  const float peak = peak_.exchange(kNothing, std::memory_order_relaxed);
  if (peak == kNothing) return std::nullopt;
  return std::clamp(20 * std::log10(peak), kFloorDbfs, -kFloorDbfs);
}

}  // namespace whiteline
