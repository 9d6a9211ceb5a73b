#pragma once

#include <cstdint>
#include <string>

#include "native/core/pacing/schedule.h"
#include "native/core/pipeline/frame.h"

namespace whiteline {

struct OutgoingFrame {
  FrameRef frame;
  Rate rate;
  /** Time of day in units of 100 ns since 1970. */
  int64_t timecode100Ns;
  /** XML that travels with the frame. */
  std::string metadata;
};

/** Where a sender's frames go. Used by the sender's thread only. */
class VideoOutput {
 public:
  virtual ~VideoOutput() = default;

  /** May block. Keeps what it is given until the next call, or until `flush` returns. */
  virtual void submit(OutgoingFrame frame) = 0;
  virtual void flush() = 0;
  virtual void sendMetadata(const std::string& xml) = 0;
  virtual int connections() = 0;
};

}  // namespace whiteline
