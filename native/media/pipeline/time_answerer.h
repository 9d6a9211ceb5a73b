#pragma once

#include <atomic>
#include <cstdint>
#include <thread>

#include "native/media/pipeline/video_output.h"

namespace whiteline {

/** Answers receivers that ask a sender for its time, and counts those of ours that come, on a thread of its
 * own so that no frame holds an answer up. */
class TimeAnswerer {
 public:
  /** The output outlives this. `wallOffsetUs`: that of the source's release times. */
  TimeAnswerer(VideoOutput& output, int64_t wallOffsetUs);
  /** Returns within a tenth of a second. */
  ~TimeAnswerer();
  TimeAnswerer(const TimeAnswerer&) = delete;
  TimeAnswerer& operator=(const TimeAnswerer&) = delete;

  uint64_t arrivals() const { return arrivals_; }

 private:
  void run();
  int64_t releaseClockUs() const;

  VideoOutput& output_;
  const int64_t wallOffsetUs_;
  std::atomic<uint64_t> arrivals_{0};
  std::atomic<bool> closing_{false};
  std::thread thread_;
};

}  // namespace whiteline
