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
  virtual ~VideoInput() = default;

  // The picture thread's.
  /** Waits at most `timeoutMs`. A picture must be given back by `release()` before the next call. */
  virtual bool capture(int timeoutMs, IncomingPicture& picture) = 0;
  virtual void release() = 0;
  virtual void connect(const SourceAddress& address) = 0;
  /** Pictures that the input itself threw away because they were not fetched in time. */
  virtual uint32_t droppedPictures() = 0;
  virtual int connections() = 0;
  /** Pictures that wait to be fetched. */
  virtual int queueDepth() = 0;

  // The side thread's.
  /** Waits at most `timeoutMs`. Sound must be given back by `releaseAudio()` before the next call. */
  virtual IncomingSide captureSide(int timeoutMs) = 0;
  virtual void releaseAudio() = 0;
  /** Asks the sender for its time. False: not connected. */
  virtual bool askTime(const TimeQuestion& question) = 0;
};

}  // namespace whiteline
