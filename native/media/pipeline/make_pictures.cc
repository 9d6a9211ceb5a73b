#include "native/media/pipeline/make_pictures.h"

#include "native/media/pipeline/hap_movie_file.h"
#include "native/media/pipeline/hap_pictures.h"
#include "native/media/pipeline/movie_reader.h"

namespace whiteline {
namespace {

/** Prepared, in hand, the last one, and one to spare. */
constexpr size_t kFramesInPlay = 4;
/** The movie's command has one more that is being read. */
constexpr size_t kCommandFrames = MovieReader::kPicturesAhead + 1 + kFramesInPlay;
constexpr size_t kHapFrames = HapPictures::kPicturesAhead + kFramesInPlay;

}  // namespace

PictureFactory pictureFactoryFor(const SourceOptions& options, uint64_t seed) {
  return [options, seed](const FramePool& pool, MovieHealth& health) -> std::unique_ptr<PictureSource> {
    switch (options.kind) {
      case SourceKind::Noise:
        return std::make_unique<NoisePictures>(pool, options.width, options.height, options.pixelFormat,
                                               seed);
      case SourceKind::Movie:
        return std::make_unique<MovieReader>(pool, options.command, options.hasAlpha);
      case SourceKind::Hap:
        return std::make_unique<HapPictures>(
            pool, std::make_unique<HapMovieFile>(options.hap, options.width, options.height), options.rate,
            options.hap.startFrame, DecodePool::ofProcess(), health);
      case SourceKind::WhiteLine:
        break;
    }
    return std::make_unique<GridPictures>(pool);
  };
}

size_t ownFramesOf(SourceKind kind) {
  return kind == SourceKind::Hap ? kHapFrames : kCommandFrames;
}

}  // namespace whiteline
