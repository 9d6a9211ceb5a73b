// What Whiteline reads of Hap movies: for each path on standard input one line of JSON, until it ends.
//
//   {"timeScale":30000,"durationTicks":2002,"samples":[[offset,bytes,startTicks],…],"damaged":[frame,…]}
//   {"refusal":"MOVIE_DAMAGED: …"}

#include <cstddef>
#include <cstdint>
#include <iostream>
#include <string>

#include "native/base/platform/aligned_bytes.h"
#include "native/base/platform/error.h"
#include "native/media/hap/hap_frame_decoder.h"
#include "native/media/hap/hap_movie.h"
#include "native/media/pattern/picture.h"

namespace {

using namespace whiteline;

class Reader {
 public:
  explicit Reader(const std::string& path) : movie_(openHapMovie(path)) {
    const MovieIndex& index = movie_->index();
    const int width = (index.width + 1) / 2 * 2;
    const std::span<uint8_t> memory = memory_.atLeast(pictureBytes(width, index.height, PixelFormat::Uyvy));
    picture_ = {memory.data(), packedStride(width, PixelFormat::Uyvy), width, index.height,
                PixelFormat::Uyvy};
  }

  const MovieIndex& index() const { return movie_->index(); }

  bool isDamaged(size_t frame) {
    try {
      const std::span<const uint8_t> bytes = movie_->readFrame(frame, bytes_);
      decoder_.decode(bytes, index().width, index().height, picture_, nullptr);
      return false;
    } catch (const MovieError&) {
      return true;
    }
  }

 private:
  std::shared_ptr<const HapMovie> movie_;
  AlignedBytes memory_;
  AlignedBytes bytes_;
  HapFrameDecoder decoder_;
  Picture picture_;
};

std::string quoted(const std::string& text) {
  std::string result = "\"";
  for (const char character : text) {
    if (character == '"' || character == '\\') result += '\\';
    result += character;
  }
  return result + '"';
}

std::string lineOf(const std::string& path) {
  try {
    Reader reader(path);
    const MovieIndex& index = reader.index();
    std::string samples;
    std::string damaged;
    for (size_t frame = 0; frame < index.samples.size(); ++frame) {
      const auto& [offset, sizeBytes, startTicks] = index.samples[frame];
      samples += (frame == 0 ? "[" : ",[") + std::to_string(offset) + ',' + std::to_string(sizeBytes) + ',' +
                 std::to_string(startTicks) + ']';
      if (reader.isDamaged(frame)) damaged += (damaged.empty() ? "" : ",") + std::to_string(frame);
    }
    return "{\"timeScale\":" + std::to_string(index.timeScale) +
           ",\"durationTicks\":" + std::to_string(index.durationTicks) + ",\"samples\":[" + samples +
           "],\"damaged\":[" + damaged + "]}";
  } catch (const Error& error) {
    return "{\"refusal\":" + quoted(error.code() + ": " + error.what()) + '}';
  }
}

}  // namespace

int main() {
  for (std::string path; std::getline(std::cin, path);) std::cout << lineOf(path) << std::endl;
  return 0;
}
