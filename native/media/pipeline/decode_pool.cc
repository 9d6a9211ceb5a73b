#include "native/media/pipeline/decode_pool.h"

#include <algorithm>

#include "native/base/pacing/clock.h"
#include "native/base/platform/thread_name.h"
#include "native/base/platform/thread_policy.h"

namespace whiteline {
namespace {

/** Room for the look-ahead of more sources than a machine plays; the queue grows beyond it. */
constexpr size_t kExpectedTasks = 256;

}  // namespace

std::shared_ptr<DecodePool> DecodePool::ofProcess() {
  struct Shared {
    std::mutex mutex;
    std::weak_ptr<DecodePool> pool;
  };
  // Never destroyed: a source may still start while the process ends.
  static Shared& shared = *new Shared;
  const std::lock_guard lock(shared.mutex);
  std::shared_ptr<DecodePool> pool = shared.pool.lock();
  if (pool == nullptr) {
    const size_t processors = std::thread::hardware_concurrency();
    pool = std::make_shared<DecodePool>(std::clamp(processors, kFewestWorkers, kMostWorkers));
    shared.pool = pool;
  }
  return pool;
}

DecodePool::DecodePool(size_t workers) {
  queue_.reserve(kExpectedTasks);
  running_.reserve(workers);
  threads_.reserve(workers);
  try {
    while (threads_.size() < workers) threads_.emplace_back([this] { work(); });
  } catch (...) {
    stop();
    throw;
  }
}

DecodePool::~DecodePool() {
  stop();
}

void DecodePool::stop() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  submitted_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

void DecodePool::submit(DecodeTask& task, int64_t deadlineNs, int64_t latestStartNs) {
  {
    const std::lock_guard lock(mutex_);
    queue_.push_back({&task, deadlineNs, latestStartNs});
  }
  submitted_.notify_one();
}

void DecodePool::withdraw(DecodeTask& task) {
  std::unique_lock lock(mutex_);
  std::erase_if(queue_, [&](const Queued& queued) { return queued.task == &task; });
  ended_.wait(lock, [&] { return std::find(running_.begin(), running_.end(), &task) == running_.end(); });
}

DecodePool::Queued DecodePool::takeEarliest() {
  // A queue so short is faster searched than kept in order; of equals the one submitted first comes first.
  const auto earliest = std::min_element(
      queue_.begin(), queue_.end(),
      [](const Queued& one, const Queued& other) { return one.deadlineNs < other.deadlineNs; });
  const Queued taken = *earliest;
  queue_.erase(earliest);
  return taken;
}

void DecodePool::work() {
  nameThread("wl-decode");
  adoptThreadPolicy(ThreadRole::Background);
  HapFrameDecoder decoder;
  std::unique_lock lock(mutex_);
  while (true) {
    submitted_.wait(lock, [this] { return stopping_ || !queue_.empty(); });
    if (stopping_) return;
    const Queued next = takeEarliest();
    running_.push_back(next.task);
    lock.unlock();
    if (monotonicNs() > next.latestStartNs) {
      next.task->drop();
    } else {
      next.task->decode(decoder);
    }
    lock.lock();
    // Its owner may have submitted it again already, and another worker have taken it: once only.
    running_.erase(std::find(running_.begin(), running_.end(), next.task));
    ended_.notify_all();
  }
}

}  // namespace whiteline
