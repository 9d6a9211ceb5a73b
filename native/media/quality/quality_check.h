#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "native/base/pacing/schedule.h"
#include "native/media/quality/mask.h"
#include "native/media/quality/picture_quality.h"
#include "native/media/quality/png_writer.h"

namespace whiteline {

/** Gives the pairs that are compared, one after the other. */
class PairSource {
 public:
  virtual ~PairSource() = default;
  /** Of each pair. */
  virtual const std::vector<uint32_t>& frames() const = 0;
  /** Both UYVY, valid until the next call. @throws Error */
  struct Pair {
    PictureView sent;
    PictureView received;
    Mask mask;
  };
  virtual Pair pair(size_t index) = 0;
};

/** The files that two PictureKeepers left in a folder. */
struct KeptPairsOptions {
  std::string folder;
  int width;
  int height;
  Rate rate;
  /** Strips and line are left out, at their place in each frame. */
  std::vector<uint32_t> frames;
};
std::unique_ptr<PairSource> keptPairs(KeptPairsOptions options);

struct QualityCheckOptions {
  /** ffmpeg. */
  std::string program;
  /** Of the worst frame, as PNG; none if empty. */
  std::string sideBySidePath;
  std::string differencePath;
};

struct QualityCheckStatus {
  enum class State : uint8_t { Running, Done, Failed };
  struct Compared {
    uint32_t frame;
    PictureQuality quality;
  };

  State state = State::Running;
  std::vector<Compared> compared;
  /** Where Failed: an error's code and message. */
  std::string problemCode;
  std::string problemMessage;
  /** Why the pictures of the worst frame were not written; empty if they were, or were not asked for. */
  std::string pictureProblem;
};

/**
 * Compares pairs of pictures on a thread of its own, then writes pictures of the worst: the one whose luma
 * has the largest mean squared error, the first of several.
 */
class QualityCheck {
 public:
  QualityCheck(std::unique_ptr<PairSource> pairs, QualityCheckOptions options);
  ~QualityCheck();
  QualityCheck(const QualityCheck&) = delete;
  QualityCheck& operator=(const QualityCheck&) = delete;

  QualityCheckStatus status() const;
  /** Stops after the pair that is being compared, and ends ffmpeg; the state stays what it is. */
  void close();

 private:
  void run();
  void compareAll();
  void writePictures();

  const std::unique_ptr<PairSource> pairs_;
  const QualityCheckOptions options_;
  PngWriter pngWriter_;
  PictureComparer comparer_;
  std::atomic<bool> closing_{false};

  mutable std::mutex mutex_;
  QualityCheckStatus status_;

  std::thread thread_;
};

}  // namespace whiteline
