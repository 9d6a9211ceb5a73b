#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <mutex>
#include <string>
#include <vector>

namespace whiteline {

/** Metadata frames on their way between two threads. Of more than it holds the oldest are dropped, and
 * counted.
 */
class MetadataQueue {
 public:
  static constexpr size_t kMostFrames = 256;
  /** What comes from another machine may be of any size. */
  static constexpr size_t kMostBytes = 1 << 20;

  void push(std::string&& text);
  /** Oldest first. Takes no memory where there are none. */
  std::vector<std::string> takeAll();
  /** Since the beginning. */
  uint64_t dropped() const;

 private:
  void dropOldest();

  mutable std::mutex mutex_;
  std::deque<std::string> waiting_;
  size_t bytes_ = 0;
  uint64_t dropped_ = 0;
};

}  // namespace whiteline
