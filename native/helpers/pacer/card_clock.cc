#include "native/helpers/pacer/card_clock.h"

#include <utility>

namespace whiteline::pacer {
namespace {

constexpr int64_t kLeastStepNs = 100'000'000;

}  // namespace

bool CardClock::wasSet(int64_t cardNs, int64_t monotonicNs) {
  const std::optional<Stamps> before = std::exchange(last_, Stamps{cardNs, monotonicNs});
  if (!before) return false;
  const int64_t byCardNs = cardNs - before->cardNs;
  const int64_t byKernelNs = monotonicNs - before->monotonicNs;
  // A late stamp of the kernel makes its interval longer: then the card's one is the shorter, but not below
  // 0.
  const bool isStep = byCardNs < -kLeastStepNs || byCardNs - byKernelNs > kLeastStepNs;
  if (isStep) ++steps_;
  return isStep;
}

}  // namespace whiteline::pacer
