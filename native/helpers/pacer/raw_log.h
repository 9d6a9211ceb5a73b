#pragma once

#include <cstdint>
#include <string>

#include "native/base/platform/log_file.h"

namespace whiteline::pacer {

/** Number and stamp of each packet, as lines. It ends for good where a line cannot be written. */
class RawLog {
 public:
  /** @throws Error INVALID_ARGUMENT if there is such a file already, or none can be made */
  explicit RawLog(const std::string& path);

  void add(int64_t packet, int64_t stampNs);
  void flush();

  /** Packets that are not in it. */
  uint64_t missing() const { return missing_; }
  /** What the system says; empty: none is missing. */
  const std::string& why() const { return why_; }

 private:
  LogFile file_;
  std::string waiting_;
  uint64_t waitingLines_ = 0;
  uint64_t missing_ = 0;
  std::string why_;
};

}  // namespace whiteline::pacer
