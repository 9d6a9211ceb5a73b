#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <thread>

#include "native/base/pacing/clock.h"
#include "native/base/pacing/schedule.h"
#include "native/base/statistics/record_ring.h"

namespace whiteline {

/** One wake-up of a pacing thread. A slot that passed while the thread slept on has no record. */
struct WakeUpRecord {
  uint32_t slot;
  /** From the slot's time to the moment at which the thread has read the clock again. */
  int64_t latenessNs;
};

struct WakeUpOptions {
  Rate rate;
  /** Length of the measurement, and room for its records. */
  uint32_t slots;
};

struct WakeUpStatus {
  bool isDone;
  /** Slots whose time is over. */
  uint32_t slotsPassed;
  /** When the first slot is; 0 until the thread has begun. */
  int64_t firstSlotNs;
};

/** What a pacing thread asks of time. */
struct PacingTime {
  std::function<int64_t()> nowNs = monotonicNs;
  std::function<bool(int64_t timeNs, const std::atomic<bool>& closing)> sleepUntilOrClosing =
      whiteline::sleepUntilOrClosing;
};

/**
 * How late this machine wakes a thread that sleeps to the slots of a schedule exactly as the thread of a
 * Source does, with nothing else to do. All memory is there before the first slot.
 */
class WakeUpLateness {
 public:
  explicit WakeUpLateness(WakeUpOptions options, PacingTime time = {});
  ~WakeUpLateness();
  WakeUpLateness(const WakeUpLateness&) = delete;
  WakeUpLateness& operator=(const WakeUpLateness&) = delete;

  WakeUpStatus status() const;
  /** Ends the thread; what was recorded stays. */
  void close();
  /** What outlives this while it is held. */
  const std::shared_ptr<RecordRing<WakeUpRecord>>& sharedRecords() const { return records_; }

 private:
  void run();

  const WakeUpOptions options_;
  const PacingTime time_;
  const std::shared_ptr<RecordRing<WakeUpRecord>> records_;
  std::atomic<uint32_t> slotsPassed_{0};
  std::atomic<int64_t> firstSlotNs_{0};
  std::atomic<bool> isDone_{false};
  std::atomic<bool> closing_{false};

  std::thread thread_;
};

}  // namespace whiteline
