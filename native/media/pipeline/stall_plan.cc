#include "native/media/pipeline/stall_plan.h"

#include <algorithm>

namespace whiteline {
namespace {

/** More than any run, and no sum overflows. */
constexpr double kLongestStallNs = 1e15;

}  // namespace

std::optional<int64_t> StallPlan::stallUntilNs(uint32_t frameNumber, int64_t captureNs, Rate rate) {
  if (stalls_.empty() || rate.numerator == 0 || rate.denominator == 0) return std::nullopt;
  const auto found = std::find_if(stalls_.begin(), stalls_.end(), [&](const FrameRange& range) {
    return isWithin(frameNumber, range.first, range.last);
  });
  if (found == stalls_.end()) return std::nullopt;
  const double periods = static_cast<double>(found->last - frameNumber) + 1;
  const double stallNs = periods * 1e9 * rate.denominator / rate.numerator;
  stalls_.erase(found);
  return captureNs + static_cast<int64_t>(std::min(stallNs, kLongestStallNs));
}

}  // namespace whiteline
