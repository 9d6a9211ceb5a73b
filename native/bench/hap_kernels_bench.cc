// The parts of decoding a Hap frame, on one thread.
//
// With a clip named by the environment variable WHITELINE_BENCH_CLIP: what its frames cost, as hap-q.…
// Without one: every kernel in every instruction set, on random blocks for 3840×2160, as kernels.….

#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "native/base/platform/aligned_bytes.h"
#include "native/base/platform/error.h"
#include "native/media/hap/hap_frame_decoder.h"
#include "native/media/hap/hap_movie.h"
#include "native/media/hap/texture_decoder.h"

namespace whiteline {
namespace {

constexpr int kWidth = 3840;
constexpr int kHeight = 2160;
/** Pictures taken in turn: together larger than a core's own cache, as in a pipeline that plays several
 * movies. */
constexpr size_t kPictures = 8;

/** Where pictures are decoded to. */
class Targets {
 public:
  Targets(int width, int height, PixelFormat format) : width_(width), height_(height), format_(format) {
    for (AlignedBytes& buffer : buffers_) {
      const auto bytes = buffer.atLeast(pictureBytes(width, height, format));
      std::fill(bytes.begin(), bytes.end(), uint8_t{0});
    }
  }

  Picture at(size_t index) {
    return {buffers_[index % kPictures].data(), packedStride(width_, format_), width_, height_, format_};
  }

 private:
  int width_;
  int height_;
  PixelFormat format_;
  AlignedBytes buffers_[kPictures];
};

/** The first frames of the clip, in memory. */
class Clip {
 public:
  explicit Clip(const std::string& path) : movie_(openHapMovie(path)) {
    const size_t count = std::min(kPictures, movie_->index().samples.size());
    for (size_t frame = 0; frame < count; ++frame) {
      AlignedBytes buffer;
      const auto bytes = movie_->readFrame(frame, buffer);
      frames_.emplace_back(bytes.begin(), bytes.end());
    }
  }

  int width() const { return movie_->index().width; }
  int height() const { return movie_->index().height; }
  const std::vector<uint8_t>& frame(size_t index) const { return frames_[index % frames_.size()]; }

 private:
  std::shared_ptr<const HapMovie> movie_;
  std::vector<std::vector<uint8_t>> frames_;
};

constexpr const char* kClipVariable = "WHITELINE_BENCH_CLIP";

/** Null after reporting why. */
std::unique_ptr<Clip> clipOf(benchmark::State& state) {
  try {
    return std::make_unique<Clip>(std::getenv(kClipVariable));
  } catch (const Error& error) {
    state.SkipWithError(error.what());
    return nullptr;
  }
}

/** Expanded frames of a clip. */
class Textures {
 public:
  explicit Textures(const Clip& clip) {
    for (size_t index = 0; index < kPictures; ++index) {
      decoders_.push_back(std::make_unique<HapFrameDecoder>());
      textures_.push_back(decoders_.back()->expand(clip.frame(index), clip.width(), clip.height()));
    }
  }

  const HapTexture& at(size_t index) const { return textures_[index % kPictures]; }

 private:
  std::vector<std::unique_ptr<HapFrameDecoder>> decoders_;
  std::vector<HapTexture> textures_;
};

void expand(benchmark::State& state) {
  const auto clip = clipOf(state);
  if (!clip) return;
  std::vector<std::unique_ptr<HapFrameDecoder>> decoders;
  for (size_t index = 0; index < kPictures; ++index) decoders.push_back(std::make_unique<HapFrameDecoder>());
  size_t frame = 0;
  for (auto _ : state) {
    const HapTexture texture =
        decoders[frame % kPictures]->expand(clip->frame(frame), clip->width(), clip->height());
    benchmark::DoNotOptimize(texture.blocks);
    ++frame;
  }
}

void decodeBlocks(benchmark::State& state) {
  const auto clip = clipOf(state);
  if (!clip) return;
  const Textures textures(*clip);
  Targets targets(clip->width(), clip->height(), PixelFormat::Uyvy);
  size_t frame = 0;
  for (auto _ : state) {
    decodeTexture(textures.at(frame), targets.at(frame), nullptr);
    benchmark::ClobberMemory();
    ++frame;
  }
}

void decodeFrames(benchmark::State& state) {
  const auto clip = clipOf(state);
  if (!clip) return;
  HapFrameDecoder decoder;
  Targets targets(clip->width(), clip->height(), PixelFormat::Uyvy);
  size_t frame = 0;
  for (auto _ : state) {
    decoder.decode(clip->frame(frame), clip->width(), clip->height(), targets.at(frame), nullptr);
    benchmark::ClobberMemory();
    ++frame;
  }
}

/** The floor of any decoder: as many bytes read and written as the blocks and the picture have, undecoded. */
void floorOfBlocks(benchmark::State& state) {
  const auto clip = clipOf(state);
  if (!clip) return;
  const Textures textures(*clip);
  Targets targets(clip->width(), clip->height(), PixelFormat::Uyvy);
  const size_t bytes = textureBytes(textures.at(0).format, clip->width(), clip->height());
  const size_t pictureSize = pictureBytes(clip->width(), clip->height(), PixelFormat::Uyvy);
  size_t frame = 0;
  for (auto _ : state) {
    uint8_t* target = targets.at(frame).data;
    // In pieces small enough that what is read a second time comes from the nearest cache.
    constexpr size_t kPiece = 4096;
    for (size_t offset = 0; offset + kPiece <= bytes && 2 * (offset + kPiece) <= pictureSize;
         offset += kPiece) {
      const uint8_t* source = textures.at(frame).blocks + offset;
      std::memcpy(target + 2 * offset, source, kPiece);
      std::memcpy(target + 2 * offset + kPiece, source, kPiece);
    }
    benchmark::ClobberMemory();
    ++frame;
  }
}

struct Kernel {
  const char* name;
  TextureFormat format;
  bool alphaBlocks;
  PixelFormat target;
  bool over;
};

constexpr Kernel kKernels[] = {
    {"hap-q", TextureFormat::Bc3ScaledYCoCg, false, PixelFormat::Uyvy, false},
    {"hap-q-bgra", TextureFormat::Bc3ScaledYCoCg, false, PixelFormat::Bgra, false},
    {"hap-q-alpha-over", TextureFormat::Bc3ScaledYCoCg, true, PixelFormat::Uyvy, true},
    {"hap", TextureFormat::Bc1Rgb, false, PixelFormat::Uyvy, false},
    {"hap-bgra", TextureFormat::Bc1Rgb, false, PixelFormat::Bgra, false},
    {"hap-alpha", TextureFormat::Bc3Rgba, false, PixelFormat::Uyvy, false},
    {"hap-alpha-over", TextureFormat::Bc3Rgba, false, PixelFormat::Uyvy, true},
    {"hap-alpha-bgra", TextureFormat::Bc3Rgba, false, PixelFormat::Bgra, false},
    {"alpha-only", TextureFormat::Bc4Alpha, false, PixelFormat::Uyvy, false},
    {"hap-r", TextureFormat::Bc7Rgba, false, PixelFormat::Uyvy, false},
    {"hap-hdr", TextureFormat::Bc6hUnsigned, false, PixelFormat::Uyvy, false},
};

/** Random blocks, of Hap Q with the scales that encoders write. */
std::vector<uint8_t> randomBlocks(TextureFormat format) {
  std::vector<uint8_t> blocks(textureBytes(format, kWidth, kHeight));
  std::mt19937_64 random(1);
  for (size_t offset = 0; offset < blocks.size(); offset += sizeof(uint64_t)) {
    const uint64_t eightBytes = random();
    std::memcpy(blocks.data() + offset, &eightBytes, sizeof(eightBytes));
  }
  if (format == TextureFormat::Bc3ScaledYCoCg) {
    constexpr uint8_t kScales[] = {0, 1, 3};
    for (size_t block = 0; block < blocks.size(); block += 16) {
      const uint8_t scale = kScales[random() % 3];
      for (const size_t colour : {block + 8, block + 10}) {
        blocks[colour] = static_cast<uint8_t>((blocks[colour] & 0xE0) | scale);
      }
    }
  }
  return blocks;
}

void decodeRandom(benchmark::State& state, const Kernel& kernel, InstructionSet instructions) {
  const std::vector<uint8_t> blocks = randomBlocks(kernel.format);
  const std::vector<uint8_t> alphaBlocks = randomBlocks(TextureFormat::Bc4Alpha);
  const HapTexture texture{.format = kernel.format,
                           .blocks = blocks.data(),
                           .alphaBlocks = kernel.alphaBlocks ? alphaBlocks.data() : nullptr,
                           .width = kWidth,
                           .height = kHeight};
  Targets targets(kWidth, kHeight, kernel.target);
  const std::vector<uint8_t> behind(pictureBytes(kWidth, kHeight, kernel.target), 128);
  const PictureView background(behind.data(), packedStride(kWidth, kernel.target), kWidth, kHeight,
                               kernel.target);
  size_t frame = 0;
  for (auto _ : state) {
    decodeTexture(texture, targets.at(frame), kernel.over ? &background : nullptr, instructions);
    benchmark::ClobberMemory();
    ++frame;
  }
}

void add(const std::string& name, std::function<void(benchmark::State&)> measure) {
  benchmark::RegisterBenchmark(name.c_str(), std::move(measure))->Unit(benchmark::kMillisecond);
}

[[maybe_unused]] const bool added = [] {
  if (std::getenv(kClipVariable)) {
    add("hap-q.snappy", expand);
    add("hap-q.blocks", decodeBlocks);
    add("hap-q.frame", decodeFrames);
    add("hap-q.floor", floorOfBlocks);
    return true;
  }
  for (const Kernel& kernel : kKernels) {
    for (const InstructionSet instructions : availableInstructionSets()) {
      add(std::string("kernels.") + kernel.name + "." + nameOf(instructions),
          [&kernel, instructions](benchmark::State& state) { decodeRandom(state, kernel, instructions); });
    }
  }
  return true;
}();

}  // namespace
}  // namespace whiteline
