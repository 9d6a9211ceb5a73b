#include "native/media/pipeline/look_ahead.h"

#include <algorithm>

#include "native/base/pacing/time_units.h"

namespace whiteline {
namespace {

/** Before the schedule is known, nothing is late; running sources come first within this time. */
constexpr int64_t kStartDeadlineNs = kNsPerSecond;

}  // namespace

void LookAhead::passTo(uint64_t slot) {
  first_ = std::max(first_, slot);
  toPrepare_ = std::max(toPrepare_, first_);
}

void LookAhead::passWhatHasGoneBy(int64_t nowNs) {
  if (schedule_) passTo(schedule_->slotAt(nowNs));
}

void LookAhead::rewind() {
  first_ = toPrepare_ = 0;
  givenUp_.fill({});
}

int64_t LookAhead::untilItMovesNs(int64_t nowNs) const {
  return std::max<int64_t>(schedule_->deadlineNs(first_) - nowNs, 0);
}

void LookAhead::leaveOutWhatCannotBeInTime(int64_t nowNs) {
  if (!schedule_) return;
  const int64_t readyNs = nowNs + readDurations_.medianNs() + decodeDurations_.medianNs();
  // The last of the window shows whether the times are still what they were.
  while (toPrepare_ + 1 < first_ + kPicturesAhead && schedule_->slotTimeNs(toPrepare_) < readyNs) {
    giveUp(toPrepare_, causeBeforeReading(nowNs));
    ++toPrepare_;
  }
}

uint64_t LookAhead::beginRead(int64_t nowNs) {
  readBeginNs_ = nowNs;
  readEndNs_ = 0;
  return toPrepare_++;
}

void LookAhead::endRead(int64_t nowNs, bool isGood) {
  readEndNs_ = nowNs;
  if (isGood) readDurations_.add(nowNs - readBeginNs_);
}

LookAhead::DecodeTimes LookAhead::decodeTimes(uint64_t slot, int64_t readEndNs) const {
  if (!schedule_) return {readEndNs + kStartDeadlineNs, INT64_MAX};
  const int64_t deadlineNs = schedule_->slotTimeNs(slot);
  // After this many drops, it is no longer known how long decoding takes.
  const int64_t decodeNs = dropsInARow_ < kPicturesAhead ? decodeDurations_.medianNs() : 0;
  return {deadlineNs, deadlineNs - decodeNs};
}

void LookAhead::noteDecoded(int64_t durationNs) {
  decodeDurations_.add(durationNs);
  dropsInARow_ = 0;
}

void LookAhead::giveUp(uint64_t slot, LateCause cause) {
  givenUp_[slot % kPicturesAhead] = {slot, cause};
}

std::optional<LateCause> LookAhead::causeOfGivingUp(uint64_t slot) const {
  const GivenUp& givenUp = givenUp_[slot % kPicturesAhead];
  return givenUp.slot == slot ? std::optional(givenUp.cause) : std::nullopt;
}

LateCause LookAhead::causeBeforeReading(int64_t nowNs) const {
  const int64_t readNs = (readEndNs_ == 0 ? nowNs : readEndNs_) - readBeginNs_;
  const int64_t slotNs = schedule_->deadlineNs(0) - schedule_->slotTimeNs(0);
  return readNs > slotNs && !heldUpByDecoding_ ? LateCause::Disk : LateCause::Decode;
}

LateCause LookAhead::causeAfterReading(int64_t readBeginNs, int64_t readEndNs, int64_t nowNs) {
  return readEndNs - readBeginNs > nowNs - readEndNs ? LateCause::Disk : LateCause::Decode;
}

}  // namespace whiteline
