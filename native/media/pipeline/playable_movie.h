#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "native/base/platform/aligned_bytes.h"
#include "native/media/hap/hap_frame_decoder.h"
#include "native/media/hap/hap_movie.h"
#include "native/media/hap/movie_index.h"
#include "native/media/pattern/picture.h"

namespace whiteline {

/** What HapPictures plays: a movie file, or in tests one that is slow or damaged on purpose. Its errors say
 * all that there is to say: file, frame and byte. */
class PlayableMovie {
 public:
  struct FrameBytes {
    size_t frame;
    std::span<const uint8_t> bytes;
    /** The file that they are from; a movie may be opened anew. */
    std::shared_ptr<const HapMovie> file;
  };

  virtual ~PlayableMovie() = default;
  virtual const std::string& path() const = 0;
  /** The same for the whole life. */
  virtual const MovieIndex& index() const = 0;
  /** False for a movie held in memory. */
  virtual bool readsDisk() const = 0;

  // On the thread that reads.
  /** The bytes lie in `target`, or where the movie keeps them. @throws MovieError, Error FILE_UNREADABLE */
  virtual FrameBytes readFrame(size_t frame, AlignedBytes& target) = 0;
  /** Opens the file anew after it gave nothing good for a while: it may have come back. */
  virtual void reopen() = 0;

  // On any thread.
  /** @throws MovieError */
  virtual void decode(HapFrameDecoder& decoder, const FrameBytes& frame, const Picture& target,
                      const PictureView* background) const = 0;
};

}  // namespace whiteline
