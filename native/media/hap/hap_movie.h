#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "native/base/platform/aligned_bytes.h"
#include "native/base/platform/byte_source.h"
#include "native/media/hap/movie_error.h"
#include "native/media/hap/movie_index.h"

namespace whiteline {

/** An open Hap movie: its index and its bytes. Read from any thread. */
class HapMovie {
 public:
  /** `name`: how messages call it, its path. @throws MovieError, Error FILE_UNREADABLE */
  explicit HapMovie(std::unique_ptr<const ByteSource> bytes, std::string name = "the movie");

  const MovieIndex& index() const { return index_; }
  const ByteSource& bytes() const { return *bytes_; }
  const std::string& name() const { return name_; }
  /** Its bytes are held in memory: reading them says nothing about a disk. */
  bool preloaded() const { return !bytes_->inMemory().empty(); }

  /**
   * A frame's bytes, which say that they are of the movie's variant. They are read into `target`, which grows
   * to what the largest frame of the movie needs once and stays so; of a movie in memory nothing is copied.
   * `frame`: below the count of the index's samples.
   * @throws MovieError MOVIE_DAMAGED when the file has become shorter, or the frame is of another variant;
   * Error FILE_UNREADABLE when the device fails. Both name file, frame and byte of the file
   */
  std::span<const uint8_t> readFrame(size_t frame, AlignedBytes& target) const;

  /**
   * Reads the beginning of a frame only. `frame`, `target` and errors as for readFrame; what is damaged
   * after it goes unseen.
   */
  void requireHead(size_t frame, AlignedBytes& target) const;

  /** Damage within a frame, as parsing or decoding reported it, with the file: names file, frame and byte. */
  MovieError damageOf(size_t frame, const MovieError& withinFrame) const;

 private:
  /** The first bytes of a frame, in `target` with room for as many as `roomBytes`. */
  std::span<const uint8_t> bytesOf(size_t frame, uint32_t count, uint32_t roomBytes,
                                   AlignedBytes& target) const;
  /** `read` of a frame's bytes, with errors that name file and frame. */
  template <class Read>
  auto reported(size_t frame, Read read) const;

  std::string name_;
  std::unique_ptr<const ByteSource> bytes_;
  MovieIndex index_;
  uint32_t largestFrameBytes_;
};

/**
 * Opens a movie file; `preload` reads it into memory at once, unless it is larger than half of the memory
 * that the machine has to spare.
 * @throws MovieError; Error FILE_UNREADABLE, MOVIE_TOO_LARGE (to be preloaded), DIRECT_READS_REFUSED. All
 * name the file
 */
std::shared_ptr<const HapMovie> openHapMovie(const std::string& path, bool preload = false,
                                             Reads reads = Reads::Cached);

}  // namespace whiteline
