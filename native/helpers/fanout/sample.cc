#include "native/helpers/fanout/sample.h"

#include <algorithm>
#include <cassert>

namespace whiteline::fanout {
namespace {

constexpr uint32_t kMagic = 0x4f464c57;  // "WLFO"

void put(std::span<uint8_t> to, uint64_t value, size_t bytes) {
  for (size_t index = 0; index < bytes; ++index) to[index] = static_cast<uint8_t>(value >> (8 * index));
}

uint64_t get(std::span<const uint8_t> from, size_t bytes) {
  uint64_t value = 0;
  for (size_t index = 0; index < bytes; ++index) value |= uint64_t{from[index]} << (8 * index);
  return value;
}

std::optional<SampleHeader> readOne(std::span<const uint8_t> bytes) {
  if (get(bytes, 4) != kMagic) return std::nullopt;
  return SampleHeader{.target = static_cast<uint32_t>(get(bytes.subspan(4), 4)),
                      .number = get(bytes.subspan(8), 8)};
}

}  // namespace

void writeHeaders(std::span<uint8_t> sample, const SampleHeader& header) {
  assert(sample.size() >= kLeastSampleBytes);
  const std::span<uint8_t> front = sample.first(kSampleHeaderBytes);
  put(front, kMagic, 4);
  put(front.subspan(4), header.target, 4);
  put(front.subspan(8), header.number, 8);
  std::copy(front.begin(), front.end(), sample.last(kSampleHeaderBytes).begin());
}

std::optional<SampleHeader> readHeaders(std::span<const uint8_t> sample) {
  if (sample.size() < kLeastSampleBytes) return std::nullopt;
  const std::optional<SampleHeader> front = readOne(sample);
  return front == readOne(sample.last(kSampleHeaderBytes)) ? front : std::nullopt;
}

size_t samplesPerPayload(size_t sampleBytes, size_t batchBytes) {
  return std::max<size_t>(1, batchBytes / sampleBytes);
}

PayloadBuffer::PayloadBuffer(size_t sampleBytes, size_t samples)
    : sampleBytes_(sampleBytes), bytes_(sampleBytes * samples) {
  // No two parts of it alike, so that nothing on the way compresses it.
  uint32_t state = 1;
  for (uint8_t& byte : bytes_) {
    state = state * 1'664'525 + 1'013'904'223;
    byte = static_cast<uint8_t>(state >> 24);
  }
}

std::span<const uint8_t> PayloadBuffer::fill(uint64_t firstNumber, size_t count, uint32_t target) {
  assert(count * sampleBytes_ <= bytes_.size());
  for (size_t index = 0; index < count; ++index) {
    writeHeaders(std::span(bytes_).subspan(index * sampleBytes_, sampleBytes_),
                 {.target = target, .number = firstNumber + index});
  }
  return std::span(bytes_).first(count * sampleBytes_);
}

}  // namespace whiteline::fanout
