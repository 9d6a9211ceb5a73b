#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "native/media/pipeline/incoming.h"

namespace whiteline {

/** Whom to receive. One of the two may be empty. */
struct SourceAddress {
  std::string name;
  /** "host:port" */
  std::string address;
};

/** Where a receiver's pictures, sound and metadata come from. One thread calls all but `release`. A count
 * that the transport does not know is nothing, never 0. */
class VideoInput {
 public:
  /** Pictures that may be leased at the same time. */
  static constexpr int kMostLeases = 4;

  virtual ~VideoInput() = default;

  /**
   * Waits at most `timeoutMs` for what comes first. A picture is leased under `lease`, a number below
   * `kMostLeases` that is free; without one, pictures stay where they are. Sound must be given back by
   * `releaseAudio()` before the next call.
   */
  virtual Incoming capture(int timeoutMs, std::optional<int> lease) = 0;
  virtual void releaseAudio() = 0;
  virtual void connect(const SourceAddress& address) = 0;
  /** Pictures that the input itself threw away because they were not fetched in time. */
  virtual std::optional<uint32_t> droppedPictures() = 0;
  virtual std::optional<int> connections() = 0;
  /** Pictures that wait to be fetched. */
  virtual std::optional<int> queueDepth() = 0;
  /** Asks the sender for its time, if there is one. */
  virtual void askTime(const TimeQuestion& question) = 0;

  /** Ends a lease. On any thread, beside every other call. */
  virtual void release(int lease) = 0;
};

}  // namespace whiteline
