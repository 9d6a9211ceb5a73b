#pragma once

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "native/media/hap/hap_frame_decoder.h"

namespace whiteline {

/** One picture to be decoded. Its submitter owns it. */
class DecodeTask {
 public:
  /** On a worker's thread, with that worker's decoder. */
  virtual void decode(HapFrameDecoder& decoder) noexcept = 0;
  /** On a worker's thread, instead of `decode`: its turn came too late. */
  virtual void drop() noexcept = 0;

 protected:
  ~DecodeTask() = default;
};

/**
 * Threads that decode the pictures of all Hap sources of the process: one picture is one task, and the task
 * that is due first comes first, whichever source it is of. Each thread has one decoder, whose scratch memory
 * holds the texture of one frame. Nothing is allocated for a task.
 */
class DecodePool {
 public:
  static constexpr size_t kFewestWorkers = 2;
  static constexpr size_t kMostWorkers = 16;

  /** The pool that the whole process shares, with as many workers as there are processors, 2 to 16. It ends
   * with the last who holds it. */
  static std::shared_ptr<DecodePool> ofProcess();

  explicit DecodePool(size_t workers);
  /** Every task was withdrawn, or has ended. */
  ~DecodePool();
  DecodePool(const DecodePool&) = delete;
  DecodePool& operator=(const DecodePool&) = delete;

  size_t workers() const { return threads_.size(); }

  /** Either `decode` or `drop` will be called, once: the latter when its turn comes after `latestStartNs`. */
  void submit(DecodeTask& task, int64_t deadlineNs, int64_t latestStartNs);
  /** Takes a task back. If it runs, waits for its end; after this nothing is called. */
  void withdraw(DecodeTask& task);

 private:
  struct Queued {
    DecodeTask* task;
    int64_t deadlineNs;
    int64_t latestStartNs;
  };

  void work();
  Queued takeEarliest();
  void stop();

  std::mutex mutex_;
  std::condition_variable submitted_;
  std::condition_variable ended_;
  std::vector<Queued> queue_;
  std::vector<DecodeTask*> running_;
  bool stopping_ = false;
  std::vector<std::thread> threads_;
};

}  // namespace whiteline
