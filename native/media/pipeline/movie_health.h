#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <string>

namespace whiteline {

/** How a source's movie file does while it is played. Written by the threads that play it, read by any. */
class MovieHealth {
 public:
  struct Report {
    /** Bytes read, over the time spent in reading them, of the last second in which any were read; not a
     * number before the first read. MB = 10⁶ bytes. */
    double diskRateMBps;
    uint64_t damagedPictures = 0;
    /** What was wrong with the newest damaged picture; empty if there was none. */
    std::string damage;
  };

  void addRead(size_t bytes, int64_t durationNs, int64_t endNs);
  void addDamage(std::string what);
  void forgetDamage();
  Report report() const;

 private:
  struct Read {
    int64_t endNs;
    int64_t durationNs;
    size_t bytes;
  };

  /** More than a second's at the highest rate that a source has. */
  static constexpr size_t kMostReads = 1024;

  void forgetOldestRead();

  mutable std::mutex mutex_;
  /** The reads of the newest second; the oldest is overwritten first. */
  std::array<Read, kMostReads> reads_;
  size_t oldestRead_ = 0;
  size_t readCount_ = 0;
  int64_t readNs_ = 0;
  uint64_t readBytes_ = 0;
  uint64_t damagedPictures_ = 0;
  std::string damage_;
};

}  // namespace whiteline
