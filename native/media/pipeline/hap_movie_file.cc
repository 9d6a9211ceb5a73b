#include "native/media/pipeline/hap_movie_file.h"

#include <exception>
#include <utility>

#include "native/base/platform/error.h"
#include "native/media/hap/movie_error.h"

namespace whiteline {
namespace {

std::string sizeText(int width, int height) {
  return std::to_string(width) + "×" + std::to_string(height);
}

bool sameMovie(const MovieIndex& one, const MovieIndex& other) {
  return one.variant == other.variant && one.width == other.width && one.height == other.height &&
         one.timeScale == other.timeScale && one.durationTicks == other.durationTicks &&
         one.samples.size() == other.samples.size();
}

}  // namespace

HapMovieFile::HapMovieFile(const HapOptions& options, int width, int height)
    : path_(options.path),
      reads_(options.reads),
      opened_(openHapMovie(options.path, options.preload, options.reads)),
      current_(opened_) {
  if (index().width != width || index().height != height) {
    throw Error("SOURCE_FAILED", "Expected a movie of " + sizeText(width, height) +
                                     " for hap.path but received one of " +
                                     sizeText(index().width, index().height) + ": " + path_);
  }
  if (options.startFrame >= index().samples.size()) {
    throw Error("SOURCE_FAILED", "Expected a frame from 0 to " + std::to_string(index().samples.size() - 1) +
                                     " for hap.startFrame but received " +
                                     std::to_string(options.startFrame) + ": " + path_);
  }
}

PlayableMovie::FrameBytes HapMovieFile::readFrame(size_t frame, AlignedBytes& target) {
  return {frame, current_->readFrame(frame, target), current_};
}

void HapMovieFile::reopen() {
  if (!readsDisk()) return;
  try {
    std::shared_ptr<const HapMovie> again = openHapMovie(path_, false, reads_);
    if (sameMovie(again->index(), index())) current_ = std::move(again);
  } catch (const std::exception&) {
    // Still gone: reading goes on from what is open, and reports what is wrong.
  }
}

void HapMovieFile::decode(HapFrameDecoder& decoder, const FrameBytes& frame, const Picture& target,
                          const PictureView* background) const {
  try {
    decoder.decode(frame.bytes, index().width, index().height, target, background);
  } catch (const MovieError& error) {
    throw frame.file->damageOf(frame.frame, error);
  }
}

}  // namespace whiteline
