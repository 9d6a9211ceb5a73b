#include "native/base/pacing/standstill_watch.h"

#include <algorithm>
#include <utility>

#include "native/base/pacing/clock.h"
#include "native/base/pacing/wake_moment.h"
#include "native/base/platform/stolen_time.h"
#include "native/base/platform/thread_name.h"
#include "native/base/platform/thread_time.h"

namespace whiteline {
namespace {

/** Of an owner that does not drain: further ones are added to the newest of their kind. */
constexpr size_t kMostStandstills = 1000;
constexpr int64_t kNeverNs = INT64_MAX;

std::optional<int64_t> queuedBy(const ThreadClock& clock) {
  const std::optional<ThreadTime> time = clock.now();
  if (!time) return std::nullopt;
  return time->queuedNs;
}

/** What a hypervisor takes. To look costs more than a wake: once a second, and where a standstill is to be
 * explained. */
class StolenTime {
 public:
  /** To be called at each wake. Since the look before, of a wake that was late; 0 if the system does not
   * say. */
  int64_t at(int64_t nowNs, bool isLate) {
    if (!isLate && nowNs < nextNs_) return 0;
    const std::optional<int64_t> before = std::exchange(stolenNs_, stolenTimeNs());
    nextNs_ = nowNs + kLookNs;
    return before && stolenNs_ ? *stolenNs_ - *before : 0;
  }

 private:
  static constexpr int64_t kLookNs = 1'000'000'000;

  std::optional<int64_t> stolenNs_ = stolenTimeNs();
  int64_t nextNs_ = 0;
};

/** On a thread of its own. */
void look(StandstillRecords& records, int64_t dueNs) {
  nameThread("wl-still");
  const ThreadClock clock;
  const auto queuedTime = [&] { return queuedBy(clock); };
  StolenTime stolen;
  LateWakes wakes;
  // It waited for its first turn already.
  std::optional<int64_t> queuedBeforeNs = 0;
  for (bool goesOn = true; goesOn;) {
    goesOn = records.sleep();
    const WakeMoment moment = readWakeMoment(
        dueNs, monotonicNs, queuedTime, [&](int64_t nowNs, bool isLate) { return stolen.at(nowNs, isLate); });
    const std::vector<Standstill> found =
        wakes.add({dueNs, moment.wokeNs, queuedBeforeNs, moment.queuedNs, moment.stolenNs});
    dueNs = moment.wokeNs + wakes.nextLookNs();
    records.woke(found, dueNs);
    queuedBeforeNs = moment.queuedNs;
  }
}

}  // namespace

void StandstillTime::add(const std::vector<Standstill>& found, int64_t fromNs, int64_t toNs) {
  for (const Standstill& one : found) {
    const int64_t withinNs = std::min(one.toNs, toNs) - std::max(one.fromNs, fromNs);
    if (withinNs > 0) (one.kind == Standstill::Kind::Stopped ? stoppedNs : starvedNs) += withinNs;
  }
}

StandstillRecords::StandstillRecords(int64_t dueNs, std::chrono::nanoseconds patience)
    : patience_(patience), dueNs_(dueNs) {}

bool StandstillRecords::sleep() {
  std::unique_lock lock(mutex_);
  while (!isEnding_) {
    const int64_t leftNs = dueNs_ - monotonicNs();
    if (leftNs <= 0) return true;
    ended_.wait_for(lock, std::chrono::nanoseconds(leftNs));
  }
  return false;
}

void StandstillRecords::woke(const std::vector<Standstill>& found, int64_t nextDueNs) {
  {
    const std::lock_guard lock(mutex_);
    dueNs_ = isEnding_ ? kNeverNs : nextDueNs;
    for (const Standstill& one : found) add(one);
  }
  looked_.notify_all();
}

void StandstillRecords::add(const Standstill& found) {
  if (waiting_.size() >= kMostStandstills) {
    const auto newest = std::find_if(waiting_.rbegin(), waiting_.rend(),
                                     [&](const Standstill& one) { return one.kind == found.kind; });
    if (newest != waiting_.rend()) {
      newest->toNs += found.lengthNs();
      return;
    }
  }
  waiting_.push_back(found);
}

void StandstillRecords::end() {
  {
    const std::lock_guard lock(mutex_);
    isEnding_ = true;
  }
  ended_.notify_all();
}

std::vector<Standstill> StandstillRecords::drain() {
  std::unique_lock lock(mutex_);
  looked_.wait_for(lock, patience_, [this] { return !isOverdue(); });
  return std::exchange(waiting_, {});
}

bool StandstillRecords::isOverdue() const {
  return dueNs_ != kNeverNs && monotonicNs() - dueNs_ >= kLeastStandstillNs;
}

StandstillWatch::StandstillWatch() : StandstillWatch(monotonicNs() + kStandstillLookNs) {}

StandstillWatch::StandstillWatch(int64_t dueNs)
    : records_(std::make_shared<StandstillRecords>(dueNs)),
      thread_([records = records_, dueNs] { look(*records, dueNs); }) {}

StandstillWatch::~StandstillWatch() {
  close();
}

void StandstillWatch::close() {
  records_->end();
  if (thread_.joinable()) thread_.join();
}

}  // namespace whiteline
