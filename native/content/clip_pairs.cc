#include "native/content/clip_pairs.h"

#include <algorithm>
#include <utility>

#include "native/base/platform/error.h"
#include "native/content/generator.h"
#include "native/media/hap/bgra_picture.h"
#include "native/media/hap/hap_frame_decoder.h"
#include "native/media/hap/hap_movie.h"

namespace whiteline {
namespace {

/** What the generator paints stands for what was sent, the decoded frame for what was received. */
class ClipPairs final : public PairSource {
 public:
  explicit ClipPairs(ClipPairsOptions options) : options_(std::move(options)) {}

  const std::vector<uint32_t>& frames() const override { return options_.frames; }

  Pair pair(size_t index) override {
    if (!movie_) open();
    const uint32_t frame = options_.frames[index];
    const MovieIndex& movie = movie_->index();
    if (frame >= movie.samples.size()) {
      throw Error("INVALID_ARGUMENT", options_.path + " has no frame " + std::to_string(frame));
    }
    const Picture original = picture(original_, PixelFormat::Uyvy);
    const Picture decoded = picture(decoded_, PixelFormat::Uyvy);
    const Picture painted = picture(painted_, PixelFormat::Bgra);
    // One thread: there is time, and streams may run beside.
    paintFrame(*generator_, frame, painted, 1);
    convertToUyvy(painted, original);
    try {
      decoder_.decode(movie_->readFrame(frame, bytes_), movie.width, movie.height, decoded, nullptr);
    } catch (const MovieError& error) {
      throw movie_->damageOf(frame, error);
    }
    return {original, decoded, {}};
  }

 private:
  void open() {
    std::shared_ptr<const HapMovie> movie = openHapMovie(options_.path);
    const MovieIndex& index = movie->index();
    if (index.width % 2 != 0) throw Error("INVALID_ARGUMENT", options_.path + " has an odd width");
    const ClipShape shape{index.width, index.height, index.rate, static_cast<uint32_t>(index.samples.size())};
    generator_ = makeGenerator(options_.generator, shape);
    painted_.resize(pictureBytes(index.width, index.height, PixelFormat::Bgra));
    original_.resize(pictureBytes(index.width, index.height, PixelFormat::Uyvy));
    decoded_.resize(original_.size());
    movie_ = std::move(movie);
  }

  Picture picture(std::vector<uint8_t>& bytes, PixelFormat format) const {
    const MovieIndex& index = movie_->index();
    return {bytes.data(), packedStride(index.width, format), index.width, index.height, format};
  }

  const ClipPairsOptions options_;
  std::shared_ptr<const HapMovie> movie_;
  std::unique_ptr<Generator> generator_;
  HapFrameDecoder decoder_;
  AlignedBytes bytes_;
  std::vector<uint8_t> painted_;
  std::vector<uint8_t> original_;
  std::vector<uint8_t> decoded_;
};

}  // namespace

std::unique_ptr<PairSource> clipPairs(ClipPairsOptions options) {
  const auto names = generatorNames();
  if (std::find(names.begin(), names.end(), options.generator) == names.end()) {
    throw Error("INVALID_ARGUMENT",
                "Expected the name of a generator for generator but received " + options.generator);
  }
  return std::make_unique<ClipPairs>(std::move(options));
}

}  // namespace whiteline
