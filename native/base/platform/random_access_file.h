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
 */
class RandomAccessFile final : public ByteSource {
 public:
  /** `path` is UTF-8. Never waits for a writer of a pipe.
   *  @throws Error FILE_UNREADABLE when it is absent, is not a regular file, or may not be read */
  explicit RandomAccessFile(const std::string& path);
  ~RandomAccessFile() override;
  RandomAccessFile(const RandomAccessFile&) = delete;
  RandomAccessFile& operator=(const RandomAccessFile&) = delete;

  uint64_t sizeBytes() const override;
  size_t readAt(uint64_t offset, std::span<uint8_t> target) const override;

 private:
  struct Handle;
  std::string path_;
  std::unique_ptr<Handle> handle_;
};

}  // namespace whiteline
