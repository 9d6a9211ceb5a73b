#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "native/core/pattern/background.h"
#include "native/core/pattern/noise_field.h"
#include "native/core/pipeline/frame_pool.h"

namespace whiteline {

/** Makes the pictures of a source, without line and code. Used by the source's thread only. */
class PictureSource {
 public:
  enum class Readiness { Waiting, Ready, Failed };

  virtual ~PictureSource() = default;
  /** Whether the first picture is there: the schedule starts then. */
  virtual Readiness readiness() { return Readiness::Ready; }
  /** The next picture in a frame of its own; null when it is not ready. */
  virtual std::shared_ptr<Frame> next(uint32_t frameNumber) = 0;
  /** Why no picture comes any more; empty while all is well. */
  virtual std::string failure() const { return {}; }
  /** Process id of a command that makes the pictures, 0 if there is none. */
  virtual int64_t commandProcessId() const { return 0; }
};

/** The neutral grid. Each buffer is painted once; after that only the place of its old white line is
 * restored. */
class GridPictures final : public PictureSource {
 public:
  explicit GridPictures(FramePool pool) : pool_(std::move(pool)) {}
  std::shared_ptr<Frame> next(uint32_t frameNumber) override;

 private:
  FramePool pool_;
};

/** Full-amplitude noise, the worst case of every codec. */
class NoisePictures final : public PictureSource {
 public:
  NoisePictures(FramePool pool, int width, int height, PixelFormat format, uint64_t seed)
      : pool_(std::move(pool)), field_(width, height, format, seed) {}
  std::shared_ptr<Frame> next(uint32_t frameNumber) override;

 private:
  FramePool pool_;
  NoiseField field_;
};

}  // namespace whiteline
