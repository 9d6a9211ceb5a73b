#include "native/base/pacing/schedule.h"

#include "native/base/pacing/time_units.h"
#include "native/base/pacing/wide.h"

namespace whiteline {
namespace {

uint64_t unitsPerSlot(Rate rate) {
  return rate.denominator * uint64_t{kNsPerSecond};
}

}  // namespace

Schedule::Schedule(int64_t startNs, Rate rate) : startNs_(startNs), rate_(rate) {}

int64_t Schedule::slotTimeNs(uint64_t slot) const {
  const Wide sinceStart = divide(product(slot, unitsPerSlot(rate_)), rate_.numerator).quotient;
  return startNs_ + static_cast<int64_t>(sinceStart.low);
}

uint64_t Schedule::slotAt(int64_t nowNs) const {
  if (nowNs <= startNs_) return 0;
  // floor(k·D·10⁹ / N) ≤ elapsed  ⇔  k·D·10⁹ < (elapsed + 1)·N, of which this is the largest k.
  const auto elapsedNs = static_cast<uint64_t>(nowNs - startNs_);
  return divide(product(elapsedNs + 1, rate_.numerator) - wide(1), unitsPerSlot(rate_)).quotient.low;
}

}  // namespace whiteline
