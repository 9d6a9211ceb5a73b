#pragma once

#include <cstdint>
#include <string>

#include "native/base/pacing/schedule.h"
#include "native/media/pipeline/frame.h"

namespace whiteline {

struct OutgoingFrame {
  FrameRef frame;
  Rate rate;
  /** Time of day in units of 100 ns since 1970. */
  int64_t timecode100Ns;
  /** XML that travels with the frame. */
  std::string metadata;
};

/** One channel of sound, 32-bit floats, full scale at 1. */
struct AudioBlock {
  const float* samples;
  int count;
  int sampleRate;
  int64_t timecode100Ns;
  /** XML that travels with the block. */
  std::string metadata;
};

/** Where a sender's frames go. Used by the sender's thread only, but for `captureMetadata` and
 * `sendMetadata`. */
class VideoOutput {
 public:
  virtual ~VideoOutput() = default;

  /** May block. Keeps what it is given until the next call, or until `flush` returns. */
  virtual void submit(OutgoingFrame frame) = 0;
  virtual void flush() = 0;
  /** Keeps nothing of it. */
  virtual void submitAudio(const AudioBlock& block) = 0;
  /** Any thread. */
  virtual void sendMetadata(const std::string& xml) = 0;
  /** Waits at most `timeoutMs` for what a receiver sends; one thread at a time. False: nothing came. */
  virtual bool captureMetadata(int timeoutMs, std::string& xml) = 0;
  virtual int connections() = 0;
};

}  // namespace whiteline
