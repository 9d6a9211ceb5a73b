#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "native/base/platform/error.h"

namespace whiteline {

/** An open file as the system names it: a descriptor, or a HANDLE of Windows. */
#if defined(_WIN32)
using SystemFile = void*;
#else
using SystemFile = int;
#endif

/** An open file a second time, so that reads of it pass the page cache (O_DIRECT, FILE_FLAG_NO_BUFFERING). */
class DirectReads {
 public:
  /** `file`: the open one, whatever has become of its name; `path` is for messages.
   *  @throws Error DIRECT_READS_REFUSED if they would not come from a disk, or cannot be had */
  DirectReads(SystemFile file, const std::string& path);
  ~DirectReads();
  DirectReads(const DirectReads&) = delete;
  DirectReads& operator=(const DirectReads&) = delete;

  SystemFile file() const { return file_; }
  /** Position, length and memory of each read are multiples of it; at least a page. */
  size_t blockBytes() const { return blockBytes_; }
  /** As much as a block before the first byte, and after the last one. */
  size_t roomFor(size_t count) const { return count + 2 * blockBytes_; }

  /** `read(position, target)` fills the target, or as much of it as there is before the file's end. */
  template <class Read>
  std::span<const uint8_t> readInto(std::span<uint8_t> room, uint64_t offset, size_t count,
                                    Read&& read) const {
    const auto before = static_cast<size_t>(offset % blockBytes_);
    const size_t wanted = (before + count + blockBytes_ - 1) / blockBytes_ * blockBytes_;
    const size_t got = read(offset - before, room.first(wanted));
    return room.subspan(std::min(before, got), std::min(count, got - std::min(before, got)));
  }

 private:
  SystemFile file_{};
  size_t blockBytes_;
};

[[noreturn]] inline void refuseDirectReads(const std::string& path, const std::string& why) {
  throw Error("DIRECT_READS_REFUSED", path + " cannot be read past the page cache: " + why);
}

}  // namespace whiteline
