#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>

#include "native/base/pacing/schedule.h"
#include "native/media/pipeline/frame.h"
#include "native/media/pipeline/frame_label.h"
#include "native/media/pipeline/time_exchange.h"

namespace whiteline {

struct OutgoingFrame {
  FrameRef frame;
  Rate rate;
  /** Time of day, ns since 1970. */
  int64_t mediaTimeNs;
  FrameLabel label;
  PictureAnnouncement announcement;
  /** Width to height as it is to be shown; 0: its pixels are square. */
  double aspect = 0;
};

/** One channel of sound, 32-bit floats, full scale at 1. */
struct AudioBlock {
  const float* samples;
  int count;
  int sampleRate;
  int64_t mediaTimeNs;
  FrameLabel label;
};

/** A receiver of ours connected, or did so again. A transport may deliver it twice for one connection. */
struct ReceiverArrival {
  bool operator==(const ReceiverArrival&) const = default;
};

/** What a receiver sends: nothing, a question for the time, or that it came. */
using ReceiverMessage = std::variant<std::monostate, TimeQuestion, ReceiverArrival>;

/** Where a sender's frames go. Used by the sender's thread only, but for what receivers send. */
class VideoOutput {
 public:
  virtual ~VideoOutput() = default;

  /** May block. Keeps what it is given until the next call, or until `flush` returns. */
  virtual void submit(OutgoingFrame frame) = 0;
  virtual void flush() = 0;
  /** Keeps no part of it. */
  virtual void submitAudio(const AudioBlock& block) = 0;
  /** A text to every receiver. */
  virtual void sendMetadata(const std::string& text) = 0;
  /** Nothing: the transport does not know. */
  virtual std::optional<int> connections() = 0;
  /** Under which receivers find it. */
  virtual std::string name() const = 0;

  // One other thread's.
  /** Waits at most `timeoutMs` for what a receiver sends. */
  virtual ReceiverMessage captureMessage(int timeoutMs) = 0;
  virtual void answerTime(const TimeAnswer& answer) = 0;
};

}  // namespace whiteline
