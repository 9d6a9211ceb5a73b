#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <optional>
#include <vector>

#include "native/base/statistics/record_ring.h"
#include "native/media/pipeline/faults.h"
#include "native/media/pipeline/frame.h"
#include "native/media/records/records.h"

namespace whiteline {

/**
 * Hands one frame at a time from a source to one sender, and settles every slot exactly once: a frame is
 * either claimed by the sender before its deadline, or recorded here as missed. Misses are pushed under the
 * mailbox's lock, so their ring has one producer at a time.
 */
class Mailbox {
 public:
  struct Claim {
    FrameRef frame;
    int64_t beginNs;
  };

  explicit Mailbox(size_t missCapacity) : misses_(missCapacity) {}

  // The source's side.
  /** Puts a frame in; whatever lies there still is missed. The deadline is the time of the next slot. */
  void offer(FrameRef frame, int64_t deadlineNs);
  /** The source itself skipped this slot; a miss that was to be injected there remains an injected one. */
  void skip(uint64_t slot);

  // The sender's side.
  /**
   * Waits for a frame whose deadline is still to come: its call has begun when this returns. Nothing after
   * `patience`, a `wake` or `close`.
   */
  std::optional<Claim> claim(std::chrono::milliseconds patience);
  /** Of calls that send no frame: a frame that waits meanwhile is missed by the call too. */
  void beginCall();
  void endCall(int64_t nowNs);

  // Either side.
  /** Takes back what lies there still and records it as missed: no more will be offered, or claimed. */
  void settle();
  void wake();
  void close();
  bool closed() const;
  /** Replaces the faults to come; all but the misses are left to others. */
  void setFaults(std::vector<Fault> faults);

  /** Drained by one thread. */
  RecordRing<MissRecord>& misses() { return misses_; }

 private:
  struct Pending {
    FrameRef frame;
    int64_t deadlineNs;
    bool injectedMiss;
  };

  void settleLocked(int64_t nowNs);
  bool isInjectedMiss(uint32_t frameNumber) const;
  bool claimable(int64_t nowNs) const;

  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::optional<Pending> pending_;
  std::vector<Fault> faults_;
  bool woken_ = false;
  bool closed_ = false;
  bool insideCall_ = false;
  int64_t lastCallEndNs_ = 0;
  RecordRing<MissRecord> misses_;
};

}  // namespace whiteline
