#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "native/base/platform/random_access_file.h"

namespace whiteline {

/** The bytes of a file, again and again, for one reader. */
class RepeatedFile {
 public:
  /** @throws Error FILE_UNREADABLE */
  explicit RepeatedFile(const std::string& path);

  /** What comes next; empty: the file is empty by now. @throws Error FILE_UNREADABLE when the device fails */
  std::span<const uint8_t> next();
  /** Marks `count` bytes of `next()` as used. */
  void take(size_t count);

 private:
  RandomAccessFile file_;
  uint64_t offset_ = 0;
  std::vector<uint8_t> room_;
  std::span<const uint8_t> left_;
};

}  // namespace whiteline
