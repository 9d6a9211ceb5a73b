#pragma once

#include <cstdint>
#include <string>

#include "native/media/pipeline/incoming.h"

namespace whiteline {

/** Whom to receive. One of the two may be empty. */
struct SourceAddress {
  std::string name;
  /** "host:port" */
  std::string address;
};

/** Where a receiver's pictures, sound and metadata come from: pictures on one thread, the rest on another. */
class VideoInput {
 public:
  /** Failure: nothing can come now, and the input may have said so without waiting. */
  enum class Arrival { Nothing, Picture, Failure };

  /** Pictures that may be leased at the same time. */
  static constexpr int kMostLeases = 4;

  virtual ~VideoInput() = default;

  // The picture thread's.
  /** Waits at most `timeoutMs`. What comes is leased under a number below `kMostLeases` that is free. */
  virtual Arrival capture(int timeoutMs, int lease, IncomingPicture& picture) = 0;
  virtual void connect(const SourceAddress& address) = 0;
  /** Pictures that the input itself threw away because they were not fetched in time. */
  virtual uint32_t droppedPictures() = 0;
  virtual int connections() = 0;
  /** Pictures that wait to be fetched. */
  virtual int queueDepth() = 0;

  // Any thread's, beside every other call.
  /** Ends a lease. */
  virtual void release(int lease) = 0;

  // The side thread's.
  /** Waits at most `timeoutMs`. Sound must be given back by `releaseAudio()` before the next call. */
  virtual IncomingSide captureSide(int timeoutMs) = 0;
  virtual void releaseAudio() = 0;
  /** Asks the sender for its time. False: not connected. */
  virtual bool askTime(const TimeQuestion& question) = 0;
};

}  // namespace whiteline
