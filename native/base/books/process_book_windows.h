#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace whiteline {

struct BookedThread {
  uint32_t id = 0;
  int64_t cpuNs = 0;
};

struct BookedProcess {
  uint32_t id = 0;
  uint32_t parentId = 0;
  /** Of its file, in UTF-8. */
  std::string name;
  /** With all its threads, ended ones included. */
  int64_t cpuNs = 0;
  /** Since the machine was started. */
  int64_t startNs = 0;
  uint64_t memoryBytes = 0;
  /** Each of its threads is suspended. */
  bool stopped = false;
  std::vector<BookedThread> threads;
};

/**
 * All processes of this Windows at one moment. Windows adds up their time at each of its ticks (1/64 s), and
 * so do the tools that come with it.
 */
class ProcessBook {
 public:
  ProcessBook();

  /** Reads it anew. @return false: Windows did not say it, and nothing is known */
  bool renew();
  std::vector<uint32_t> ids() const;
  std::optional<BookedProcess> find(uint32_t id) const;

 private:
  std::vector<std::byte> picture_;
  size_t size_ = 0;
  int64_t startOfMachine_;
};

/** What the thread calls itself, in ASCII; empty: nothing, or it is gone. */
std::string nameOfThread(uint32_t id);

}  // namespace whiteline
