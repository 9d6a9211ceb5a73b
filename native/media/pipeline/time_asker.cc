#include "native/media/pipeline/time_asker.h"

#include <algorithm>
#include <limits>
#include <random>

#include "native/base/pacing/clock.h"
#include "native/base/pacing/time_units.h"

namespace whiteline {
namespace {

constexpr double kLongestIntervalNs = 1e15;
/** Long ago, and no difference with it overflows. */
constexpr int64_t kNeverNs = std::numeric_limits<int64_t>::min() / 4;

uint64_t randomId() {
  std::random_device random;
  return uint64_t{random()} << 32 | random();
}

}  // namespace

TimeAsker::TimeAsker(RecordRing<TimeRecord>& ring, int64_t wallOffsetUs)
    : ring_(ring), wallOffsetUs_(wallOffsetUs), id_(randomId()), askedAtNs_(kNeverNs) {}

void TimeAsker::setRate(double rateHz) {
  intervalNs_ = rateHz > 0
                    ? static_cast<int64_t>(std::clamp(double{kNsPerSecond} / rateHz, 1.0, kLongestIntervalNs))
                    : 0;
}

void TimeAsker::askWhenDue(VideoInput& input, int64_t nowNs) {
  const int64_t intervalNs = intervalNs_;
  if (intervalNs == 0 || nowNs - askedAtNs_ < intervalNs) return;
  askedAtNs_ = nowNs;
  // The time is taken last, so that it holds nothing of our own work.
  input.askTime({id_, clockUs(monotonicNs())});
}

void TimeAsker::take(const TimeAnswer& answer, int64_t arrivedNs) {
  if (answer.id != id_) return;
  ring_.push({answer.askedUs, answer.heardUs, answer.repliedUs, clockUs(arrivedNs)});
}

int64_t TimeAsker::clockUs(int64_t monotonicNs) const {
  return monotonicNs / kNsPerUs + wallOffsetUs_;
}

}  // namespace whiteline
