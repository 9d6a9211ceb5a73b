// Feeds sound of arbitrary rates, sizes and samples to the search for tone bursts, and checks that every
// block gets its record, in order, whatever was found in it.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <span>

#include "native/media/pipeline/sound_records.h"

namespace {

using namespace whiteline;

constexpr int kRates[] = {48000, 44100, 96000, 8000, 16000, 0, -1, 2'000'000'000};

void require(bool promise) {
  if (!promise) std::abort();
}

/** One block's samples: silence, tone from a phase on, or the input's own bytes. */
class Blocks {
 public:
  explicit Blocks(std::span<const uint8_t> bytes) : bytes_(bytes) {}

  bool isAtEnd() const { return bytes_.size() < 3; }

  uint8_t takeByte() {
    const uint8_t byte = bytes_.front();
    bytes_ = bytes_.subspan(1);
    return byte;
  }

  std::unique_ptr<float[]> samples(int kind, size_t count, int rate) {
    auto samples = std::make_unique<float[]>(count);
    if (kind == 1 || kind == 2) {
      for (size_t index = 0; index < count; ++index) {
        samples[index] = 0.1F * std::sin(6283.1853F / static_cast<float>(std::max(rate, 1)) *
                                         static_cast<float>(phase_++));
      }
    } else {
      phase_ = 0;
    }
    if (kind >= 2) {
      const size_t own = std::min(count * sizeof(float), bytes_.size()) / sizeof(float) * sizeof(float);
      if (own > 0) std::memcpy(samples.get(), bytes_.data(), own);
      bytes_ = bytes_.subspan(own);
    }
    return samples;
  }

 private:
  std::span<const uint8_t> bytes_;
  size_t phase_ = 0;
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  constexpr size_t kMostBlocks = 200;
  RecordRing<AudioRecord> ring(kMostBlocks);
  SoundRecords sound(ring);
  Blocks blocks({data, size});
  int64_t made = 0;
  while (!blocks.isAtEnd() && made < static_cast<int64_t>(kMostBlocks)) {
    const uint8_t options = blocks.takeByte();
    const auto count = static_cast<size_t>(blocks.takeByte()) * (options & 0x80 ? 16 : 1);
    const int rate = kRates[options & 7];
    const auto samples = blocks.samples(options >> 3 & 3, count, rate);
    const bool isLost = (options & 0x60) == 0x60;
    sound.add({isLost ? nullptr : samples.get(), static_cast<int>(count), rate, std::nullopt}, ++made);
  }
  sound.flush();
  int64_t read = 0;
  ring.drain([&](const AudioRecord& record) {
    require(record.captureNs == ++read);
    require(record.burstSample >= -1 && record.burstSample < static_cast<int64_t>(record.samples));
    require(record.burstSample < 0 || record.sampleRate >= 8000);
  });
  require(read == made);
  return 0;
}
