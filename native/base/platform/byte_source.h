#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace whiteline {

/** Cached: through the page cache of the system, which may have a file's bytes already. Direct: past it, from
 * the disk. */
enum class Reads : uint8_t { Cached, Direct };

/** Bytes that are read by position: a file (random_access_file.h) or memory (memory_byte_source.h). */
class ByteSource {
 public:
  virtual ~ByteSource() = default;
  /** As of now: a file may grow or shrink. @throws Error FILE_UNREADABLE when the device fails */
  virtual uint64_t sizeBytes() const = 0;
  /** Fills as much of `target` as there is; fewer bytes than asked for means the end. From any thread.
   *  @throws Error FILE_UNREADABLE when the device fails (a share that went away) */
  virtual size_t readAt(uint64_t offset, std::span<uint8_t> target) const = 0;
  /** How much room `readInto` needs for `count` bytes. */
  virtual size_t roomFor(size_t count) const { return count; }
  /** As readAt, without a copy of its own: the bytes lie somewhere in `room`, which begins with a page. */
  virtual std::span<const uint8_t> readInto(std::span<uint8_t> room, uint64_t offset, size_t count) const {
    return room.first(readAt(offset, room.first(count)));
  }
  /** All the bytes where they lie in memory anyway, so that they are not copied; none for a file. */
  virtual std::span<const uint8_t> inMemory() const { return {}; }
};

}  // namespace whiteline
