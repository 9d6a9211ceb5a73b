#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <mutex>
#include <string>

#include "native/base/platform/log_file.h"
#include "native/media/records/records.h"

namespace whiteline {

/** What a log lacks, for another thread than the one that writes it; outlives it. */
class CaptureLogState {
 public:
  struct Values {
    /** Pictures that were captured and are not in it: from the first one that could not be written on, all.
     */
    uint64_t missing = 0;
    /** Why, in words; empty: none is missing. */
    std::string why;
    /** Nothing more is written, and all is known. */
    bool isEnded = false;
  };

  Values read() const;
  void miss(uint64_t pictures, const std::string& why);
  void end();

 private:
  mutable std::mutex mutex_;
  Values values_;
};

/**
 * Writes each captured picture as a line "captureNs sourceId frameNumber status senderId", independent of the
 * record rings, so that tests can check one against the other. A log that could not be written once ends
 * there: one with a hole in its middle would be read as pictures that never came.
 */
class CaptureLog {
 public:
  static constexpr uint64_t kNoLimit = std::numeric_limits<uint64_t>::max();

  /** `mostBytes`: how long the file may become.
   *  @throws Error INVALID_ARGUMENT when the file cannot be made */
  explicit CaptureLog(const std::string& path, uint64_t mostBytes = kNoLimit);
  ~CaptureLog();
  CaptureLog(const CaptureLog&) = delete;
  CaptureLog& operator=(const CaptureLog&) = delete;

  void write(const CaptureRecord& record);
  /** Called now and then: brings what was written to the file at least every 250 ms. */
  void flushWhenDue(int64_t nowNs);

  const std::shared_ptr<CaptureLogState>& state() const { return state_; }

 private:
  /** Where there can be none, nothing more is written. */
  void makeRoomFor(size_t bytes);
  void flush();

  LogFile file_;
  const uint64_t mostBytes_;
  /** Lines that are not in the file yet. */
  std::string waiting_;
  uint64_t waitingLines_ = 0;
  /** Why nothing more is written; empty: it is. */
  std::string why_;
  int64_t flushedAtNs_ = 0;
  const std::shared_ptr<CaptureLogState> state_ = std::make_shared<CaptureLogState>();
};

}  // namespace whiteline
