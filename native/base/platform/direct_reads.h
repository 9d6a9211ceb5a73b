#pragma once

#include <cstddef>
#include <string>

#include "native/base/platform/error.h"

namespace whiteline {

/** An open file a second time, so that reads of it pass the page cache (O_DIRECT). */
class DirectReads {
 public:
  /** `file`: the open one, whatever has become of its name; `path` is for messages.
   *  @throws Error DIRECT_READS_REFUSED if they would not come from a disk, or cannot be had */
  DirectReads(int file, const std::string& path);
  ~DirectReads();
  DirectReads(const DirectReads&) = delete;
  DirectReads& operator=(const DirectReads&) = delete;

  int file() const { return file_; }
  /** Position, length and memory of each read are multiples of it; at least a page. */
  size_t blockBytes() const { return blockBytes_; }

 private:
  int file_ = -1;
  size_t blockBytes_;
};

[[noreturn]] inline void refuseDirectReads(const std::string& path, const std::string& why) {
  throw Error("DIRECT_READS_REFUSED", path + " cannot be read past the page cache: " + why);
}

}  // namespace whiteline
