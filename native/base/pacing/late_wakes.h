#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

namespace whiteline {

/**
 * A time in which this process was due to run and did not, of the monotonic clock; see
 * app/protocol/standstill.ts.
 */
struct Standstill {
  enum class Kind : uint8_t {
    /** It did not even wait for a processor. */
    Stopped,
    Starved,
  };

  Kind kind;
  int64_t fromNs;
  int64_t toNs;

  int64_t lengthNs() const { return toNs - fromNs; }
  bool operator==(const Standstill&) const = default;
};

/** A timer of a busy machine may be so late. */
inline constexpr int64_t kLeastLateNs = 10'000'000;
/** One of this length counts by itself. Shorter ones count where this much of a second is lost. */
inline constexpr int64_t kLeastStandstillNs = 50'000'000;
inline constexpr int64_t kLeastLostOfSecondNs = 250'000'000;
/** How often a process looks whether it stood still, and for a second after it was late. */
inline constexpr int64_t kStandstillLookNs = 50'000'000;
inline constexpr int64_t kLookAfterLateNs = 10'000'000;

/** One sleep of a thread, as the thread knows it when it is over. */
struct LookSleep {
  int64_t dueNs;
  int64_t wokeNs;
  /** How long it had waited for a processor before the sleep, and after it; empty: the system does not say.
   */
  std::optional<int64_t> queuedBeforeNs;
  std::optional<int64_t> queuedAfterNs;
  /** What the hypervisor took of all processors meanwhile, and up to a second before. */
  int64_t stolenNs = 0;
};

/** Empty: it woke in time. Of the kind that took the larger part; starved where that is not known. */
std::optional<Standstill> standstillOf(const LookSleep& sleep);

/** Decides which late wakes of a thread are standstills of its process. */
class LateWakes {
 public:
  /** What is known to be a standstill by now and was not before, oldest first. */
  std::vector<Standstill> add(const LookSleep& sleep);
  /** How long to sleep next: short stops are seen whole only by who looks more often. */
  int64_t nextLookNs() const { return recent_.empty() ? kStandstillLookNs : kLookAfterLateNs; }

 private:
  struct Late {
    Standstill standstill;
    bool isReported;
  };

  /** Of the last second. */
  std::deque<Late> recent_;
};

}  // namespace whiteline
