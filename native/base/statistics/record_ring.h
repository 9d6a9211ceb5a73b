#pragma once

#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <type_traits>
#include <utility>

namespace whiteline {

/** For one record a frame: about half a minute at 240 frames per second. */
inline constexpr size_t kRecordCapacity = 8192;

/**
 * Carries records from the one thread that makes them to the one thread that drains them. Nothing is
 * allocated after construction, and the producer takes no lock.
 *
 * Memory ordering: only the producer stores `written_`, only the consumer stores `drained_`. The producer's
 * release store of `written_` publishes the record before it, which the consumer's acquire load then sees;
 * the consumer's release store of `drained_` hands the places back, which the producer's acquire load sees
 * before it overwrites them. The producer keeps a copy of `drained_` and looks again only when the copy says
 * full, so the cache lines rarely travel. Both counters run on without wrapping at the capacity: their
 * difference is the size.
 */
template <class Record>
class RecordRing {
  static_assert(std::is_trivially_copyable_v<Record>);

 public:
  /** The capacity is rounded up to a power of two. */
  explicit RecordRing(size_t minimumCapacity)
      : mask_(std::bit_ceil(minimumCapacity == 0 ? size_t{1} : minimumCapacity) - 1),
        records_(std::make_unique<Record[]>(mask_ + 1)) {}

  RecordRing(const RecordRing&) = delete;
  RecordRing& operator=(const RecordRing&) = delete;

  /** Producer only. When full, the new record is dropped and counted, so that what was drained stays gapless.
   */
  bool push(const Record& record) {
    const size_t written = written_.load(std::memory_order_relaxed);
    if (written - drainedSeen_ > mask_) {
      drainedSeen_ = drained_.load(std::memory_order_acquire);
      if (written - drainedSeen_ > mask_) {
        overflowed_.fetch_add(1, std::memory_order_relaxed);
        return false;
      }
    }
    records_[written & mask_] = record;
    written_.store(written + 1, std::memory_order_release);
    return true;
  }

  /** The records present at one time, oldest first. */
  class Present {
   public:
    size_t size() const { return size_; }
    template <class Visit>
    void visit(Visit&& visit) const {
      for (size_t at = 0; at < size_; ++at) visit(ring_.records_[(begin_ + at) & ring_.mask_]);
    }

   private:
    friend RecordRing;
    Present(const RecordRing& ring, size_t begin, size_t size) : ring_(ring), begin_(begin), size_(size) {}

    const RecordRing& ring_;
    size_t begin_;
    size_t size_;
  };

  /** Consumer only. Hands over the records present at the call: where `take` throws, they stay. */
  template <class Take>
  void drainWhole(Take&& take) {
    const std::lock_guard lock(trimming_);
    const size_t begin = drained_.load(std::memory_order_relaxed);
    const size_t end = written_.load(std::memory_order_acquire);
    take(Present(*this, begin, end - begin));
    drained_.store(end, std::memory_order_release);
  }

  /** Consumer only. Visits the records present at the call, oldest first, and returns how many there were. */
  template <class Visit>
  size_t drain(Visit&& visit) {
    size_t count = 0;
    drainWhole([&](const Present& present) {
      present.visit([&](const Record& record) { visit(record); });
      count = present.size();
    });
    return count;
  }

  /** When the producer is done, on any thread: keeps what was not drained, and gives back the other memory.
   */
  void trim() {
    const std::lock_guard lock(trimming_);
    const size_t begin = drained_.load(std::memory_order_relaxed);
    const size_t end = written_.load(std::memory_order_acquire);
    const size_t mask = std::bit_ceil(end - begin) - 1;
    auto records = std::make_unique<Record[]>(mask + 1);
    for (size_t index = begin; index != end; ++index) records[index & mask] = records_[index & mask_];
    mask_ = mask;
    records_ = std::move(records);
  }

  size_t capacity() const { return mask_ + 1; }

  /** Any thread; exact only while neither side is at work. */
  size_t size() const {
    const size_t drained = drained_.load(std::memory_order_acquire);
    return written_.load(std::memory_order_acquire) - drained;
  }

  /** Any thread: records dropped since construction because the ring was full. */
  uint64_t overflowed() const { return overflowed_.load(std::memory_order_relaxed); }

 private:
  static constexpr size_t kCacheLineBytes = 64;

  /** Between the consumer and `trim`: the producer never waits for it. */
  std::mutex trimming_;
  size_t mask_;
  std::unique_ptr<Record[]> records_;
  alignas(kCacheLineBytes) std::atomic<size_t> written_{0};
  size_t drainedSeen_ = 0;
  std::atomic<uint64_t> overflowed_{0};
  alignas(kCacheLineBytes) std::atomic<size_t> drained_{0};
};

}  // namespace whiteline
