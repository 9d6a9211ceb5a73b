#include <algorithm>
#include <cstring>

#include "native/content/generators.h"
#include "native/content/random.h"

namespace whiteline::content {
namespace {

/** The opaque alpha of two BGRA pixels in eight bytes. */
constexpr uint64_t kOpaquePair = 0xFF000000FF000000;

/** Each pixel and channel by chance: nothing can be compressed, nothing predicted. */
class Noise final : public Generator {
 public:
  void begin(uint32_t frame) override { frame_ = frame; }

  void paintRows(const Picture& picture, int top, int bottom) const override {
    for (int y = top; y < bottom; ++y) {
      Random random(mixed(uint64_t{frame_} << 32 | static_cast<uint32_t>(y)));
      uint8_t* const row = rowOf(picture, y);
      const auto bytes = static_cast<size_t>(packedStride(picture.width, PixelFormat::Bgra));
      for (size_t index = 0; index < bytes; index += sizeof(uint64_t)) {
        const uint64_t pair = random.next() | kOpaquePair;
        std::memcpy(row + index, &pair, std::min(sizeof pair, bytes - index));
      }
    }
  }

 private:
  uint32_t frame_ = 0;
};

}  // namespace

std::unique_ptr<Generator> makeNoise(const ClipShape&) {
  return std::make_unique<Noise>();
}

}  // namespace whiteline::content
