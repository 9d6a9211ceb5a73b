#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace whiteline {

/** A file that only grows, by pieces that are in it whole or not at all. */
class LogFile {
 public:
  enum class Existing : uint8_t { GoesOn, Refused };

  /** `path` is UTF-8. `existing`: what becomes of a file that is there.
   *  @throws Error INVALID_ARGUMENT with what the system says */
  explicit LogFile(const std::string& path, Existing existing = Existing::GoesOn);
  ~LogFile();
  LogFile(const LogFile&) = delete;
  LogFile& operator=(const LogFile&) = delete;

  uint64_t sizeBytes() const { return sizeBytes_; }

  /** Hands the bytes to the system. What was written of a piece that failed half-way is taken back.
   *  @returns what the system says if it failed */
  std::optional<std::string> append(std::string_view bytes);

 private:
  void takeBack();

  int file_;
  uint64_t sizeBytes_ = 0;
};

}  // namespace whiteline
