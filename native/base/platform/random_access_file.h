#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "native/base/platform/byte_source.h"

namespace whiteline {

/**
 * A regular file read by position (pread), from any thread. Never mapped: a mapped file that is cut short, or
 * a share that goes away, would be a signal; here it is a short read or an error.
 *
 * With Reads::Direct, readInto reads whole blocks past the page cache; readAt, which is for a movie's index,
 * does not.
 */
class RandomAccessFile final : public ByteSource {
 public:
  /** `path` is UTF-8. Never waits for a writer of a pipe.
   *  @throws Error FILE_UNREADABLE when it is absent, is not a regular file, or may not be read;
   *  DIRECT_READS_REFUSED when its file system has none */
  explicit RandomAccessFile(const std::string& path, Reads reads = Reads::Cached);
  ~RandomAccessFile() override;
  RandomAccessFile(const RandomAccessFile&) = delete;
  RandomAccessFile& operator=(const RandomAccessFile&) = delete;

  uint64_t sizeBytes() const override;
  size_t readAt(uint64_t offset, std::span<uint8_t> target) const override;
  size_t roomFor(size_t count) const override;
  std::span<const uint8_t> readInto(std::span<uint8_t> room, uint64_t offset, size_t count) const override;

 private:
  struct Handle;
  std::string path_;
  std::unique_ptr<Handle> handle_;
};

}  // namespace whiteline
