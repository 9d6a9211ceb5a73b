#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <string>
#include <thread>

#include "native/base/platform/child_process.h"
#include "native/media/pipeline/frame_pool.h"
#include "native/media/pipeline/picture_source.h"

namespace whiteline {

/** Pictures that a command writes to its standard output, raw and packed; a few are read ahead on an own
 * thread. Those with alpha come as BGRA, and are composed over the neutral grid. */
class MovieReader final : public PictureSource {
 public:
  static constexpr size_t kPicturesAhead = 3;

  /** @throws Error SOURCE_FAILED when the command cannot be started */
  MovieReader(FramePool pool, const Command& command, bool hasAlpha = false);
  ~MovieReader() override;

  Supply supply() const override { return Supply::InOrder; }
  Readiness readiness() override;
  std::shared_ptr<Frame> next(uint64_t slot) override;
  /** Disk and decoding cannot be distinguished from outside. */
  LateCause lateCause() const override { return LateCause::Command; }
  std::string failure() const override;
  std::string name() const override { return "The movie's command"; }
  int64_t commandProcessId() const override { return process_.processId(); }

 private:
  void run();
  /** Null when stopping, or when the output has ended and `failure_` is set. */
  std::shared_ptr<Frame> readPicture();
  /** False if `readPicture` is null. */
  bool readInto(const Picture& picture);
  std::shared_ptr<Frame> acquireFrame();
  void keepErrorText(const std::string& text);
  void fail(size_t bytesRead, size_t bytesPerPicture);
  bool stopping() const;

  FramePool pool_;
  ChildProcess process_;
  const bool hasAlpha_;

  // The reading thread only.
  uint64_t picturesRead_ = 0;
  std::string errorTail_;
  /** Of pictures with alpha: as they come, and what they are composed over. */
  std::unique_ptr<Frame> straight_;
  std::unique_ptr<Frame> background_;

  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::shared_ptr<Frame>> ahead_;
  std::string failure_;
  bool stopping_ = false;

  std::thread thread_;
};

}  // namespace whiteline
