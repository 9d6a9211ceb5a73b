#pragma once

#include <cstdint>
#include <vector>

#include "native/base/platform/byte_source.h"
#include "native/media/hap/mov_box.h"

namespace whiteline {

/** The box of a movie file that holds its index, in memory. */
struct MovieBox {
  std::vector<uint8_t> bytes;
  MovBox moov;
  /** When it was read. */
  uint64_t fileBytes;
};

/**
 * Finds the box moov by the headers of the boxes before it, without reading what they hold, and reads it.
 * @throws MovieError MOVIE_NOT_HAP if the file begins like no QuickTime or MP4 file
 */
MovieBox readMovieBox(const ByteSource& file);

}  // namespace whiteline
