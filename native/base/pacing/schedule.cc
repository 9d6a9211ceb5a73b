#include "native/base/pacing/schedule.h"

#include "native/base/pacing/time_units.h"

namespace whiteline {

namespace {

__extension__ using Wide = unsigned __int128;

}  // namespace

Schedule::Schedule(int64_t startNs, Rate rate) : startNs_(startNs), rate_(rate) {}

int64_t Schedule::slotTimeNs(uint64_t slot) const {
  const Wide sinceStart = Wide{slot} * rate_.denominator * kNsPerSecond / rate_.numerator;
  return startNs_ + static_cast<int64_t>(sinceStart);
}

uint64_t Schedule::slotAt(int64_t nowNs) const {
  if (nowNs <= startNs_) return 0;
  // floor(k·D·10⁹ / N) ≤ elapsed  ⇔  k·D·10⁹ < (elapsed + 1)·N, of which this is the largest k.
  const Wide elapsedNs = static_cast<uint64_t>(nowNs - startNs_);
  const Wide perSlot = Wide{rate_.denominator} * kNsPerSecond;
  return static_cast<uint64_t>(((elapsedNs + 1) * rate_.numerator - 1) / perSlot);
}

}  // namespace whiteline
