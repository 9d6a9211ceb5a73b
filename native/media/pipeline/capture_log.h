#pragma once

#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>

#include "native/media/records/records.h"

namespace whiteline {

/**
 * Writes each captured picture as a line "captureNs sourceId frameNumber status senderId", independent of the
 * record rings, so that tests can check one against the other.
 */
class CaptureLog {
 public:
  /** @throws Error INVALID_ARGUMENT when the file cannot be made */
  explicit CaptureLog(const std::string& path);

  void write(const CaptureRecord& record);
  /** Called now and then: brings what was written to the file at least every 250 ms. */
  void flushWhenDue(int64_t nowNs);

 private:
  struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };

  std::unique_ptr<std::FILE, Close> file_;
  int64_t flushedAtNs_ = 0;
};

}  // namespace whiteline
