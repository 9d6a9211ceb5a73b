#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace whiteline::fanout {

/** Stands at both ends of a sample: where the two differ, the sample is damaged. */
struct SampleHeader {
  /** Which subscriber answers it, or has answered. */
  uint32_t target;
  uint64_t number;

  friend bool operator==(const SampleHeader&, const SampleHeader&) = default;
};

inline constexpr uint32_t kNoTarget = UINT32_MAX;
inline constexpr size_t kSampleHeaderBytes = 16;
inline constexpr size_t kLeastSampleBytes = 2 * kSampleHeaderBytes;

/** @param sample at least `kLeastSampleBytes` long */
void writeHeaders(std::span<uint8_t> sample, const SampleHeader& header);

/** Empty: it is damaged, or none of ours. */
std::optional<SampleHeader> readHeaders(std::span<const uint8_t> sample);

/** How many samples share a payload, which is what the library takes for one sample; 0 bytes: none shares. */
size_t samplesPerPayload(size_t sampleBytes, size_t batchBytes);

/** Samples one after another, written again and again. */
class PayloadBuffer {
 public:
  PayloadBuffer(size_t sampleBytes, size_t samples);

  /** @param count up to the samples that it has room for; @return valid until the next call */
  std::span<const uint8_t> fill(uint64_t firstNumber, size_t count, uint32_t target = kNoTarget);

 private:
  size_t sampleBytes_;
  std::vector<uint8_t> bytes_;
};

/** What a payload brought: hands each whole sample to `take`, and returns how many were damaged. */
template <class Take>
uint64_t forEachSample(std::span<const uint8_t> payload, size_t sampleBytes, Take&& take) {
  uint64_t damaged = 0;
  for (; payload.size() >= sampleBytes; payload = payload.subspan(sampleBytes)) {
    if (const std::optional<SampleHeader> header = readHeaders(payload.first(sampleBytes))) {
      take(*header);
    } else {
      ++damaged;
    }
  }
  return payload.empty() ? damaged : damaged + 1;
}

}  // namespace whiteline::fanout
