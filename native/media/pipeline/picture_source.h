#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "native/base/pacing/schedule.h"
#include "native/media/pattern/background.h"
#include "native/media/pattern/noise_field.h"
#include "native/media/pipeline/frame_pool.h"
#include "native/media/records/records.h"

namespace whiteline {

/** Makes the pictures of a source, without line and code. Used by the source's thread only. */
class PictureSource {
 public:
  /** When pictures are there. AtOnce: whenever they are asked for. InOrder: one after another, as they come.
   * BySlot: each is for its own slot only. Those of the latter two may be late. */
  enum class Supply : uint8_t { AtOnce, InOrder, BySlot };
  enum class Readiness : uint8_t { Waiting, Ready, Failed };

  virtual ~PictureSource() = default;
  virtual Supply supply() const { return Supply::AtOnce; }
  /** Whether the first picture is there: the schedule starts then. */
  virtual Readiness readiness() { return Readiness::Ready; }
  /** Now the schedule is known. Returns what to show as long as no picture has come; may be null. */
  virtual std::shared_ptr<Frame> begin(const Schedule&) { return nullptr; }
  /** The next picture in a frame of its own; null when it is not ready. Slots rise; one may be asked for
   * again. */
  virtual std::shared_ptr<Frame> next(uint64_t slot) = 0;
  /** Why the newest `next` gave nothing. */
  virtual LateCause lateCause() const { return LateCause::None; }
  /** Why no picture comes any more; empty while all is well. */
  virtual std::string failure() const { return {}; }
  /** Who gave no picture, at the beginning of a sentence. */
  virtual std::string name() const { return "The generator"; }
  /** Process id of a command that makes the pictures, 0 if there is none. */
  virtual int64_t commandProcessId() const { return 0; }
};

/** The neutral grid. Each buffer is painted once; after that only the place of its old white line is
 * restored. */
class GridPictures final : public PictureSource {
 public:
  explicit GridPictures(FramePool pool) : pool_(std::move(pool)) {}
  std::shared_ptr<Frame> next(uint64_t slot) override;

 private:
  FramePool pool_;
};

/** Full-amplitude noise, the worst case of every codec. */
class NoisePictures final : public PictureSource {
 public:
  NoisePictures(FramePool pool, int width, int height, PixelFormat format, uint64_t seed)
      : pool_(std::move(pool)), field_(width, height, format, seed) {}
  std::shared_ptr<Frame> next(uint64_t slot) override;

 private:
  FramePool pool_;
  NoiseField field_;
};

}  // namespace whiteline
