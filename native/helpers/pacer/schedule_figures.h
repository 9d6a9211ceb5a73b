#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace whiteline::pacer {

/** How packets came beside the schedule by which they are due: packet k at start + k · interval. */
class ScheduleFigures {
 public:
  struct Schedule {
    int64_t startNs;
    int64_t intervalNs;
    /** A packet that comes later than this after its time is late, one that comes earlier than this before it
     * is early. */
    int64_t toleranceNs;
    /** One that comes later than this is there after its presentation time. */
    int64_t presentationNs;
  };
  struct Late {
    int64_t index;
    int64_t byNs;

    friend bool operator==(const Late&, const Late&) = default;
  };

  explicit ScheduleFigures(const Schedule& schedule) : schedule_(schedule) {}

  /** In the order of arrival. */
  void add(int64_t index, int64_t stampNs);
  /** The clock was set: from this packet on the schedule is where it is as far from it as the last one was.
   */
  void goOnFrom(int64_t index, int64_t stampNs);

  uint64_t count() const { return count_; }
  uint64_t early() const { return early_; }
  uint64_t late() const { return late_; }
  /** Of late packets that came one after the other. */
  uint64_t longestRun() const { return longestRun_; }
  uint64_t tooLateToPresent() const { return tooLateToPresent_; }
  // How far from their times packets came; below 0: before it.
  int64_t earliestNs() const { return earliestNs_; }
  int64_t latestNs() const { return latestNs_; }
  /** Maximum time interval error over the whole: no two packets were further apart, or closer, than due by
   * more. */
  int64_t timeIntervalErrorNs() const { return latestNs_ - earliestNs_; }
  /** Those that came latest, the latest first. */
  const std::vector<Late>& latest() const { return latest_; }

 private:
  Schedule schedule_;
  uint64_t count_ = 0;
  uint64_t early_ = 0;
  uint64_t late_ = 0;
  uint64_t run_ = 0;
  uint64_t longestRun_ = 0;
  uint64_t tooLateToPresent_ = 0;
  int64_t lastNs_ = 0;
  int64_t earliestNs_ = 0;
  int64_t latestNs_ = 0;
  std::vector<Late> latest_;
};

}  // namespace whiteline::pacer
