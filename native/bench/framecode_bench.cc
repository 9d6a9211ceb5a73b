#include <benchmark/benchmark.h>

#include <cstdint>
#include <string>
#include <vector>

#include "native/base/statistics/record_ring.h"
#include "native/media/framecode/code_reader.h"
#include "native/media/framecode/code_stamper.h"
#include "native/media/framecode/white_line.h"
#include "native/media/pattern/background.h"
#include "native/media/pattern/picture_class.h"
#include "native/media/pattern/preview.h"
#include "native/media/pipeline/picture_reader.h"
#include "native/transports/ndi/frame_metadata.h"

namespace whiteline {
namespace {

constexpr int kWidth = 3840;
constexpr int kHeight = 2160;
constexpr PixelFormat kFormat = PixelFormat::Uyvy;
constexpr Rate kRate{.numerator = 60, .denominator = 1};

FrameCode codeOf(uint32_t frameNumber) {
  return {.sourceId = 7, .frameNumber = frameNumber, .releaseTimeUs = 200'000'000'000'000U + frameNumber};
}

/**
 * Pictures taken in turn. With one, what is touched of it stays in the processor's nearest cache; with eight,
 * it has to be fetched from further away each time, as in a pipeline that handles whole pictures in between.
 */
class Pictures {
 public:
  explicit Pictures(const benchmark::State& state)
      : buffers_(static_cast<size_t>(state.range(0)),
                 std::vector<uint8_t>(pictureBytes(kWidth, kHeight, kFormat))) {
    for (uint32_t index = 0; index < buffers_.size(); ++index) {
      paintNeutralGrid(at(index));
      drawWhiteLine(at(index), whiteLineAt(index, kWidth, kRate));
      CodeStamper(kWidth, kHeight, kFormat).stamp(at(index), codeOf(index));
    }
  }

  Picture at(uint32_t frameNumber) {
    return {buffers_[frameNumber % buffers_.size()].data(), packedStride(kWidth, kFormat), kWidth, kHeight,
            kFormat};
  }

 private:
  std::vector<std::vector<uint8_t>> buffers_;
};

void stamp(benchmark::State& state) {
  Pictures pictures(state);
  const CodeStamper stamper(kWidth, kHeight, kFormat);
  uint32_t frameNumber = 0;
  for (auto _ : state) {
    stamper.stamp(pictures.at(frameNumber), codeOf(frameNumber));
    ++frameNumber;
    benchmark::ClobberMemory();
  }
}

void read(benchmark::State& state) {
  Pictures pictures(state);
  const CodeReader reader(kWidth, kHeight, kFormat);
  uint32_t frameNumber = 0;
  for (auto _ : state) {
    const CodeReading reading = reader.read(pictures.at(frameNumber++));
    if (reading.status != PictureStatus::Good) state.SkipWithError("the code was not read");
  }
}

void drawLine(benchmark::State& state) {
  Pictures pictures(state);
  uint32_t frameNumber = 0;
  for (auto _ : state) {
    drawWhiteLine(pictures.at(frameNumber), whiteLineAt(frameNumber, kWidth, kRate));
    ++frameNumber;
    benchmark::ClobberMemory();
  }
}

void paintNoise(benchmark::State& state) {
  Pictures pictures(state);
  const NoiseField noise(kWidth, kHeight, kFormat, 1);
  uint32_t frameNumber = 0;
  for (auto _ : state) {
    noise.paint(pictures.at(frameNumber), frameNumber);
    ++frameNumber;
    benchmark::ClobberMemory();
  }
  state.SetBytesProcessed(static_cast<int64_t>(state.iterations()) *
                          static_cast<int64_t>(pictureBytes(kWidth, kHeight, kFormat)));
}

void reducePreview(benchmark::State& state) {
  Pictures pictures(state);
  const PreviewSize size = previewSize(kWidth, kHeight, 320);
  std::vector<uint8_t> rgba(static_cast<size_t>(size.width * size.height * 4));
  uint32_t frameNumber = 0;
  for (auto _ : state) {
    reduceToRgba(pictures.at(frameNumber++), kHeight, size, rgba.data());
    benchmark::ClobberMemory();
  }
}

void classify(benchmark::State& state) {
  Pictures pictures(state);
  PictureClassifier classifier;
  uint32_t frameNumber = 0;
  for (auto _ : state) benchmark::DoNotOptimize(classifier.classify(pictures.at(frameNumber++)));
}

/** All that the receiver's thread does with a captured picture, from its label to the drained record. */
void follow(benchmark::State& state, bool isCoded) {
  Pictures pictures(state);
  if (!isCoded) {
    for (uint32_t index = 0; index < state.range(0); ++index) paintNeutralGrid(pictures.at(index));
  }
  PictureReader reader;
  RecordRing<CaptureRecord> ring(8192);
  std::vector<std::string> metadata(static_cast<size_t>(state.range(0)));
  for (uint32_t index = 0; index < state.range(0); ++index) {
    appendFrameLabel(metadata[index], {3, index});
    appendPictureAnnouncement(metadata[index], {kWidth, kHeight, true, kNeutralChroma, kNeutralChroma});
  }
  uint32_t frameNumber = 0;
  for (auto _ : state) {
    const uint32_t index = frameNumber++ % static_cast<uint32_t>(state.range(0));
    const Picture picture = pictures.at(index);
    const IncomingPicture incoming{.format = {"UYVY", PixelFormat::Uyvy},
                                   .planes = {{{picture.data, picture.strideBytes}}},
                                   .width = kWidth,
                                   .height = kHeight,
                                   .rate = kRate,
                                   .frameFormat = FrameFormat::Progressive,
                                   .sentNs = std::nullopt,
                                   .mediaTimeNs = static_cast<int64_t>(codeOf(index).releaseTimeUs) * 1000,
                                   .integrity = std::nullopt,
                                   .label = parseFrameLabel(metadata[index]),
                                   .announcement = parsePictureAnnouncement(metadata[index])};
    const CaptureRecord record = reader.read(incoming, viewOf(incoming), frameNumber);
    if ((record.status == PictureStatus::Good) != isCoded) state.SkipWithError("the frame is not whole");
    ring.push(record);
    ring.drain([](const CaptureRecord& drained) { benchmark::DoNotOptimize(drained); });
  }
}

void followCoded(benchmark::State& state) {
  follow(state, true);
}

void followUndecodable(benchmark::State& state) {
  follow(state, false);
}

// The argument is the number of pictures taken in turn.
BENCHMARK(stamp)->Name("framecode.stamp-2160")->Arg(1)->Arg(8)->Unit(benchmark::kMillisecond);
BENCHMARK(read)->Name("framecode.read-2160")->Arg(1)->Arg(8)->Unit(benchmark::kMillisecond);
BENCHMARK(followCoded)->Name("framecode.follow-2160")->Arg(8)->Unit(benchmark::kMillisecond);
BENCHMARK(followUndecodable)
    ->Name("framecode.follow-undecodable-2160")
    ->Arg(8)
    ->Unit(benchmark::kMillisecond);
BENCHMARK(drawLine)->Name("pattern.white-line-2160")->Arg(1)->Arg(8)->Unit(benchmark::kMillisecond);
BENCHMARK(paintNoise)->Name("pattern.noise-2160")->Arg(8)->Unit(benchmark::kMillisecond);
BENCHMARK(reducePreview)->Name("pattern.preview-2160")->Arg(1)->Arg(8)->Unit(benchmark::kMillisecond);
BENCHMARK(classify)->Name("pattern.classify-2160")->Arg(1)->Arg(8)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace whiteline
