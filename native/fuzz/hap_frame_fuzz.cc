// Feeds arbitrary bytes to the parser of Hap frames, and what it accepts to the decoder. Every set of
// instructions that this processor has must give the same picture as the one that it decodes with.

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <span>
#include <vector>

#include "native/media/hap/hap_frame.h"
#include "native/media/hap/hap_frame_decoder.h"
#include "native/media/hap/movie_error.h"

namespace {

using namespace whiteline;

constexpr size_t kOptionBytes = 3;
/** Enough for a step of the widest kernel and a rest, and little enough to be fast. */
constexpr int kMostWidth = 40;
constexpr int kMostHeight = 8;

/** Ends the process where a promise is broken, which the fuzzer reports together with the input. */
void require(bool promise) {
  if (!promise) std::abort();
}

void requireSound(const HapFrame& frame, size_t frameBytes, int width, int height) {
  require(frame.imageCount == 1 || frame.imageCount == 2);
  for (int index = 0; index < frame.imageCount; ++index) {
    const HapImage& image = frame.images[static_cast<size_t>(index)];
    require(!image.chunks.empty() && image.chunks.size() <= kMostHapChunks);
    uint64_t texture = 0;
    for (const HapChunk& chunk : image.chunks) {
      require(chunk.compressedOffset <= frameBytes &&
              chunk.compressedBytes <= frameBytes - chunk.compressedOffset);
      require(chunk.textureOffset == texture);
      texture += chunk.textureBytes;
    }
    require(texture == textureBytes(image.format, width, height));
  }
}

/** A picture whose memory ends where it does, so that one byte past it is found out. */
class TightPicture {
 public:
  TightPicture(int width, int height, PixelFormat format, uint8_t fill)
      : width_(width),
        height_(height),
        format_(format),
        bytes_(pictureBytes(width, height, format)),
        memory_(std::make_unique<uint8_t[]>(bytes_)) {
    std::memset(memory_.get(), fill, bytes_);
  }

  Picture picture() const { return {memory_.get(), packedStride(width_, format_), width_, height_, format_}; }
  bool operator==(const TightPicture& other) const {
    return std::memcmp(memory_.get(), other.memory_.get(), bytes_) == 0;
  }

 private:
  int width_;
  int height_;
  PixelFormat format_;
  size_t bytes_;
  std::unique_ptr<uint8_t[]> memory_;
};

/** How the picture is wanted, as the input says. */
struct Options {
  PixelFormat format;
  bool composed;
  InstructionSet compared;

  explicit Options(uint8_t bits)
      : format((bits & 1) == 0 ? PixelFormat::Uyvy : PixelFormat::Bgra), composed((bits & 2) != 0) {
    static const std::vector<InstructionSet> sets = availableInstructionSets();
    compared = sets[bits / 4 % sets.size()];
  }
};

void requireEqualPictures(HapFrameDecoder& decoder, std::span<const uint8_t> bytes, int width, int height,
                          const Options& options) {
  const PixelFormat format = options.format;
  const int targetWidth = format == PixelFormat::Uyvy ? (width + 1) / 2 * 2 : width;
  const TightPicture background(targetWidth, height, format, 0x5A);
  const PictureView view(background.picture());
  const PictureView* behind = options.composed ? &view : nullptr;

  const TightPicture decoded(targetWidth, height, format, 0xFF);
  decoder.decode(bytes, width, height, decoded.picture(), behind);
  const TightPicture compared(targetWidth, height, format, 0);
  decodeTexture(decoder.expand(bytes, width, height), compared.picture(), behind, options.compared);
  require(compared == decoded);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size < kOptionBytes) return 0;
  const int width = data[0] % kMostWidth + 1;
  const int height = data[1] % kMostHeight + 1;
  const std::span<const uint8_t> bytes(data + kOptionBytes, size - kOptionBytes);
  // Kept from one input to the next, as a stream does.
  static HapFrame frame;
  static HapFrameDecoder decoder;
  try {
    parseHapFrame(bytes, width, height, frame);
    requireSound(frame, bytes.size(), width, height);
    requireEqualPictures(decoder, bytes, width, height, Options(data[2]));
  } catch (const MovieError& error) {
    require(error.code() == "MOVIE_DAMAGED" && error.byte() <= bytes.size());
  }
  return 0;
}
