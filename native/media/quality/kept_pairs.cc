#include <utility>

#include "native/media/quality/picture_file.h"
#include "native/media/quality/quality_check.h"

namespace whiteline {
namespace {

class KeptPairs final : public PairSource {
 public:
  explicit KeptPairs(KeptPairsOptions options)
      : options_(std::move(options)),
        sent_(pictureBytes(options_.width, options_.height, PixelFormat::Uyvy)),
        received_(sent_.size()) {}

  const std::vector<uint32_t>& frames() const override { return options_.frames; }

  Pair pair(size_t index) override {
    const auto& [folder, width, height, rate, frames] = options_;
    const uint32_t frame = frames[index];
    readPictureFile(pictureFile(folder, StreamEnd::Sent, frame), sent_);
    readPictureFile(pictureFile(folder, StreamEnd::Received, frame), received_);
    const int stride = packedStride(width, PixelFormat::Uyvy);
    return {{sent_.data(), stride, width, height, PixelFormat::Uyvy},
            {received_.data(), stride, width, height, PixelFormat::Uyvy},
            frameMask(width, height, frame, rate)};
  }

 private:
  const KeptPairsOptions options_;
  std::vector<uint8_t> sent_;
  std::vector<uint8_t> received_;
};

}  // namespace

std::unique_ptr<PairSource> keptPairs(KeptPairsOptions options) {
  return std::make_unique<KeptPairs>(std::move(options));
}

}  // namespace whiteline
