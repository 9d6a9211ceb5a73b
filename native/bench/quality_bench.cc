#include <benchmark/benchmark.h>

#include <cstdint>
#include <random>
#include <vector>

#include "native/media/quality/picture_quality.h"

namespace whiteline {
namespace {

constexpr int kWidth = 1920;
constexpr int kHeight = 1080;
constexpr PixelFormat kFormat = PixelFormat::Uyvy;

/** Smooth, with noise of some steps in the second of a pair. */
std::vector<uint8_t> pictureWith(int noise) {
  std::mt19937 random(1);
  std::vector<uint8_t> bytes(pictureBytes(kWidth, kHeight, kFormat));
  for (size_t index = 0; index < bytes.size(); ++index) {
    const auto step = static_cast<size_t>(noise == 0 ? 0 : random() % static_cast<uint32_t>(noise));
    bytes[index] = static_cast<uint8_t>(40 + index / 9 % 150 + step);
  }
  return bytes;
}

PictureView viewOf(const std::vector<uint8_t>& bytes) {
  return {bytes.data(), packedStride(kWidth, kFormat), kWidth, kHeight, kFormat};
}

/** PSNR and SSIM of all three planes. */
void compare(benchmark::State& state, const Mask& mask) {
  const std::vector<uint8_t> sent = pictureWith(0);
  const std::vector<uint8_t> received = pictureWith(8);
  PictureComparer comparer;
  for (auto _ : state) benchmark::DoNotOptimize(comparer.compare(viewOf(sent), viewOf(received), mask));
}

void compareAll(benchmark::State& state) {
  compare(state, {});
}

void compareMasked(benchmark::State& state) {
  compare(state, frameMask(kWidth, kHeight, 77, {60, 1}));
}

BENCHMARK(compareAll)->Name("quality.compare-1080")->Unit(benchmark::kMillisecond);
BENCHMARK(compareMasked)->Name("quality.compare-masked-1080")->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace whiteline
