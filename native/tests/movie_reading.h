#pragma once

// What the tests of the movie reader share: reading a built movie, or being refused, and what to check.

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "native/base/platform/memory_byte_source.h"
#include "native/media/hap/movie_error.h"
#include "native/media/hap/movie_index.h"
#include "native/tests/movie_builder.h"

namespace whiteline::test {

inline MovieIndex indexOf(const Bytes& movie) {
  return readMovieIndex(MemoryByteSource(movie));
}

inline MovieIndex indexOf(const MovieBuilder& builder) {
  return indexOf(builder.build());
}

/** What the reader says to a movie that it refuses: "CODE message". */
inline std::string refusalOf(const Bytes& movie) {
  try {
    indexOf(movie);
    return "accepted";
  } catch (const MovieError& error) {
    return error.code() + ' ' + error.what();
  }
}

inline std::string refusalOf(const MovieBuilder& builder) {
  return refusalOf(builder.build());
}

inline ::testing::AssertionResult says(const std::string& refusal, std::string_view code,
                                       std::string_view words) {
  if (refusal.starts_with(code) && refusal.find(words) != std::string::npos)
    return ::testing::AssertionSuccess();
  return ::testing::AssertionFailure() << "expected " << code << " … " << words << "\nreceived " << refusal;
}

inline std::vector<uint64_t> startsOf(const MovieIndex& index) {
  std::vector<uint64_t> starts;
  for (const MovieSample& sample : index.samples) starts.push_back(sample.startTicks);
  return starts;
}

/** Which of the builder's frames are shown, in order. */
inline std::vector<size_t> framesShown(const MovieBuilder& builder) {
  const Bytes movie = builder.build();
  std::vector<size_t> shown;
  for (const MovieSample& sample : indexOf(movie).samples) {
    const auto begin = movie.begin() + static_cast<ptrdiff_t>(sample.offset);
    const Bytes bytes(begin, begin + sample.sizeBytes);
    const auto found = std::find(builder.frames.begin(), builder.frames.end(), bytes);
    shown.push_back(static_cast<size_t>(found - builder.frames.begin()));
  }
  return shown;
}

inline std::string rateOf(const MovieIndex& index) {
  return std::to_string(index.rate.numerator) + '/' + std::to_string(index.rate.denominator);
}

using Frames = std::vector<size_t>;
using Ticks = std::vector<uint64_t>;

/** Frames of different sizes, so that a wrong size or place shows. */
inline std::vector<Bytes> unequalFrames(size_t count) {
  std::vector<Bytes> frames;
  for (size_t index = 0; index < count; ++index) {
    frames.emplace_back(5 + index * 3, static_cast<uint8_t>(index + 1));
  }
  return frames;
}

inline MovieBuilder movieOf(size_t frames, uint32_t timeScale = 30000) {
  MovieBuilder builder;
  builder.frames = unequalFrames(frames);
  builder.timeScale = timeScale;
  return builder;
}

/** The box trak of a movie with that codec. */
inline Bytes trackOf(const std::string& codec) {
  MovieBuilder builder;
  builder.codec = codec;
  const Bytes movie = builder.build();
  return Bytes(movie.begin() + static_cast<ptrdiff_t>(contentOf(movie, "trak")) - 8, movie.end());
}

/** A movie with a hole of many gigabytes in front of its frames. */
class SourceWithHole final : public ByteSource {
 public:
  SourceWithHole(Bytes head, Bytes tail, uint64_t tailAt) : head_(head), tail_(tail), tailAt_(tailAt) {}

  uint64_t sizeBytes() const override { return tailAt_ + tail_.sizeBytes(); }
  size_t readAt(uint64_t offset, std::span<uint8_t> target) const override {
    return offset < tailAt_ ? head_.readAt(offset, target) : tail_.readAt(offset - tailAt_, target);
  }

 private:
  MemoryByteSource head_;
  MemoryByteSource tail_;
  uint64_t tailAt_;
};

}  // namespace whiteline::test
