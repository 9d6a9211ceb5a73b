#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "native/base/pacing/schedule.h"
#include "native/media/pipeline/recent_durations.h"
#include "native/media/records/records.h"

namespace whiteline {

/**
 * Which slots of a movie are prepared, which are left out, and why the picture of one is late (HapPictures
 * says how). It decides by slots and times alone: the time is given, and the caller holds the lock.
 */
class LookAhead {
 public:
  /** Three to be ready when one picture takes long, and one for each of two cores to be at work. */
  static constexpr size_t kPicturesAhead = 5;

  struct DecodeTimes {
    int64_t deadlineNs;
    /** To be dropped when its turn comes later. */
    int64_t latestStartNs;
  };

  bool hasSchedule() const { return schedule_.has_value(); }
  void setSchedule(const Schedule& schedule) { schedule_ = schedule; }

  // The window: slots from `first` on, kPicturesAhead of them, may still be asked for or be prepared.
  uint64_t first() const { return first_; }
  bool allBegun() const { return toPrepare_ >= first_ + kPicturesAhead; }
  /** An earlier slot is no longer asked for. */
  void passTo(uint64_t slot);
  /** Of the slots that have gone by, the source will ask for none any more, even if it is late itself. */
  void passWhatHasGoneBy(int64_t nowNs);
  /** Without a schedule, all that was begun was in vain. */
  void passAllBegun() { passTo(toPrepare_); }
  /** Slot 0 comes first again. */
  void rewind();
  /** Until the window moves by itself. */
  int64_t untilItMovesNs(int64_t nowNs) const;

  // Preparing.
  /** Gives up those to be begun that cannot be ready any more; the last of the window is tried in any case.
   */
  void leaveOutWhatCannotBeInTime(int64_t nowNs);
  /** Reading waits, or waited before its newest picture, for decoding to make room. */
  void noteHeldUpByDecoding(bool isHeldUp) { heldUpByDecoding_ = isHeldUp; }
  /** The next slot, which is being read from now on. */
  uint64_t beginRead(int64_t nowNs);
  void endRead(int64_t nowNs, bool isGood);
  DecodeTimes decodeTimes(uint64_t slot, int64_t readEndNs) const;
  void noteDecoded(int64_t durationNs);
  /** It was dropped before it was decoded. */
  void noteDropped() { ++dropsInARow_; }

  // Blame.
  void giveUp(uint64_t slot, LateCause cause);
  /** Why it was given up; nothing if it was not. */
  std::optional<LateCause> causeOfGivingUp(uint64_t slot) const;
  /** Of a slot that was not begun. */
  LateCause causeBeforeReading(int64_t nowNs) const;
  /** Of a picture that has been read. */
  static LateCause causeAfterReading(int64_t readBeginNs, int64_t readEndNs, int64_t nowNs);

 private:
  struct GivenUp {
    uint64_t slot = UINT64_MAX;
    LateCause cause = LateCause::None;
  };

  std::optional<Schedule> schedule_;
  uint64_t first_ = 0;
  /** The next slot to be begun. */
  uint64_t toPrepare_ = 0;
  bool heldUpByDecoding_ = false;
  /** Of the newest read. Its end is 0 while it goes on. */
  int64_t readBeginNs_ = 0;
  int64_t readEndNs_ = 0;
  /** By slot modulo its size. */
  std::array<GivenUp, kPicturesAhead> givenUp_;
  RecentDurations readDurations_;
  RecentDurations decodeDurations_;
  size_t dropsInARow_ = 0;
};

}  // namespace whiteline
