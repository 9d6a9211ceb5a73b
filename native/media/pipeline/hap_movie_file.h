#pragma once

#include <memory>
#include <string>

#include "native/media/hap/hap_movie.h"
#include "native/media/pipeline/playable_movie.h"
#include "native/media/pipeline/source_options.h"

namespace whiteline {

/** A Hap movie from a file, or preloaded from it. */
class HapMovieFile final : public PlayableMovie {
 public:
  /** Takes as long as the preloading. @throws Error SOURCE_FAILED when it is not of that size or has no such
   * frame, or as openHapMovie */
  HapMovieFile(const HapOptions& options, int width, int height);

  const std::string& path() const override { return path_; }
  const MovieIndex& index() const override { return opened_->index(); }
  bool readsDisk() const override { return !opened_->preloaded(); }
  FrameBytes readFrame(size_t frame, AlignedBytes& target) override;
  /** Takes nothing but the same movie: as many frames, of the same kind, size and length. */
  void reopen() override;
  void decode(HapFrameDecoder& decoder, const FrameBytes& frame, const Picture& target,
              const PictureView* background) const override;

 private:
  const std::string path_;
  const Reads reads_;
  const std::shared_ptr<const HapMovie> opened_;
  /** The one that is read: opened later, if it had to be. */
  std::shared_ptr<const HapMovie> current_;
};

}  // namespace whiteline
