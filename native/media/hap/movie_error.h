#pragma once

#include <cstdint>
#include <string>
#include <utility>

#include "native/base/platform/error.h"

namespace whiteline {

/**
 * What is wrong with a movie, and where. Codes: MOVIE_NOT_HAP (a sound movie of another codec, or no movie at
 * all), MOVIE_UNSUPPORTED (sound, but in a form that is not played, such as fragments), MOVIE_DAMAGED (bytes
 * that contradict themselves, or that end too early). A file that cannot be read at all is Error
 * FILE_UNREADABLE instead.
 */
class MovieError : public Error {
 public:
  /** `byte` counts from the start of what was parsed: a file or a frame. */
  MovieError(std::string code, const std::string& what, uint64_t byte)
      : Error(std::move(code), what), byte_(byte) {}

  uint64_t byte() const { return byte_; }

 private:
  uint64_t byte_;
};

inline MovieError movieNotHap(const std::string& what, uint64_t byte) {
  return {"MOVIE_NOT_HAP", what, byte};
}

inline MovieError movieUnsupported(const std::string& what, uint64_t byte) {
  return {"MOVIE_UNSUPPORTED", what, byte};
}

inline MovieError movieDamaged(const std::string& what, uint64_t byte) {
  return {"MOVIE_DAMAGED", what, byte};
}

}  // namespace whiteline
