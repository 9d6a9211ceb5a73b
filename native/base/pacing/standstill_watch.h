#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "native/base/pacing/late_wakes.h"

namespace whiteline {

/** How long standstills lasted in all. */
struct StandstillTime {
  int64_t stoppedNs = 0;
  int64_t starvedNs = 0;

  /** What lies within the time. */
  void add(const std::vector<Standstill>& found, int64_t fromNs, int64_t toNs);
};

/** Standstills on their way from the thread that finds them to the one that takes them. */
class StandstillRecords {
 public:
  /**
   * @param dueNs when the thread that looks wakes next
   * @param patience how long `drain` waits for it
   */
  explicit StandstillRecords(int64_t dueNs,
                             std::chrono::nanoseconds patience = std::chrono::milliseconds(200));

  /** By the thread that looks: sleeps until it is due. False: it is to end. */
  bool sleep();
  /** By the same: what it found, and when it wakes next. */
  void woke(const std::vector<Standstill>& found, int64_t nextDueNs);
  void end();

  /**
   * All whole ones since the last call, oldest first. One that still lasts because the thread that looks has
   * not run yet, though this one does, is waited for, since what was measured meanwhile is judged by it.
   * Where that takes too long it comes whole with a later call.
   */
  std::vector<Standstill> drain();

 private:
  void add(const Standstill& found);
  bool isOverdue() const;

  const std::chrono::nanoseconds patience_;
  std::mutex mutex_;
  std::condition_variable ended_;
  std::condition_variable looked_;
  bool isEnding_ = false;
  int64_t dueNs_;
  std::vector<Standstill> waiting_;
};

/**
 * Finds out when this process stands still, by a thread that adds up how late it wakes. It runs as the thread
 * that makes it: an ordinary one.
 */
class StandstillWatch {
 public:
  StandstillWatch();
  ~StandstillWatch();
  StandstillWatch(const StandstillWatch&) = delete;
  StandstillWatch& operator=(const StandstillWatch&) = delete;

  /** Ends the thread; after this all that was found can be drained. */
  void close();
  std::vector<Standstill> drain() { return records_->drain(); }
  /** What outlives this while it is held. */
  const std::shared_ptr<StandstillRecords>& sharedRecords() const { return records_; }

 private:
  explicit StandstillWatch(int64_t dueNs);

  const std::shared_ptr<StandstillRecords> records_;
  std::thread thread_;
};

}  // namespace whiteline
