#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>

#include "native/media/pipeline/frame_pool.h"
#include "native/media/pipeline/movie_health.h"
#include "native/media/pipeline/picture_source.h"
#include "native/media/pipeline/source_options.h"

namespace whiteline {

/** Makes the pictures of a source, in frames of `pool`. `health` outlives them. */
using PictureFactory =
    std::function<std::unique_ptr<PictureSource>(const FramePool& pool, MovieHealth& health)>;

/** Makes what the options describe; noise with the pattern of its `seed`. The factory throws Error when there
 * will be no pictures. */
PictureFactory pictureFactoryFor(const SourceOptions& options, uint64_t seed);

/** Frames that a source of this kind needs beside those of its senders. */
size_t ownFramesOf(SourceKind kind);

}  // namespace whiteline
