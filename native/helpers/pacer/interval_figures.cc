#include "native/helpers/pacer/interval_figures.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

namespace whiteline::pacer {
namespace {

constexpr int kExactBits = 17;
constexpr int kFineBits = 13;
constexpr int kMostBits = 36;
constexpr uint64_t kExactBins = uint64_t{1} << kExactBits;
constexpr uint64_t kBinsPerOctave = uint64_t{1} << kFineBits;
constexpr uint64_t kMostDistanceNs = (uint64_t{1} << kMostBits) - 1;
constexpr size_t kBins = kExactBins + (kMostBits - kExactBits) * kBinsPerOctave;

constexpr double kTimeBinsPerDecade = 50;

/** As `binOf` of app/protocol/time-bins.ts. */
size_t timeBinOf(double us) {
  return us < 1 ? 0 : static_cast<size_t>(std::floor(std::log10(us) * kTimeBinsPerDecade + 1e-9));
}

/** Without its sign. */
uint64_t sizeOf(int64_t number) {
  return number < 0 ? uint64_t{0} - static_cast<uint64_t>(number) : static_cast<uint64_t>(number);
}

}  // namespace

DeviationHistogram::DeviationHistogram() : above_(kBins), below_(kBins) {}

size_t DeviationHistogram::binOf(uint64_t distanceNs) {
  const uint64_t distance = std::min(distanceNs, kMostDistanceNs);
  if (distance < kExactBins) return distance;
  const int octave = std::bit_width(distance) - 1 - kExactBits;
  const uint64_t within = (distance >> (octave + kExactBits - kFineBits)) - kBinsPerOctave;
  return kExactBins + static_cast<size_t>(octave) * kBinsPerOctave + within;
}

int64_t DeviationHistogram::middleOf(size_t bin) {
  if (bin < kExactBins) return static_cast<int64_t>(bin);
  const size_t octave = (bin - kExactBins) / kBinsPerOctave;
  const uint64_t within = (bin - kExactBins) % kBinsPerOctave;
  const size_t shift = octave + kExactBits - kFineBits;
  const uint64_t firstNs = (within + kBinsPerOctave) << shift;
  return static_cast<int64_t>(firstNs + (uint64_t{1} << shift) / 2);
}

void DeviationHistogram::add(int64_t deviationNs) {
  ++(deviationNs < 0 ? below_ : above_)[binOf(sizeOf(deviationNs))];
  ++count_;
}

int64_t DeviationHistogram::quantile(double share) const {
  const auto rank =
      std::max(uint64_t{1}, static_cast<uint64_t>(std::ceil(share * static_cast<double>(count_))));
  uint64_t seen = 0;
  int64_t found = 0;
  visit([&](int64_t deviationNs, uint32_t times) {
    if (seen < rank) found = deviationNs;
    seen += times;
  });
  return found;
}

void IntervalFigures::add(int64_t intervalNs) {
  const int64_t deviationNs = intervalNs - nominalNs_;
  leastNs_ = count() == 0 ? deviationNs : std::min(leastNs_, deviationNs);
  mostNs_ = count() == 0 ? deviationNs : std::max(mostNs_, deviationNs);
  histogram_.add(deviationNs);
  sumNs_ += deviationNs;
  squares_ = squares_ + product(sizeOf(deviationNs), sizeOf(deviationNs));
}

double IntervalFigures::meanNs() const {
  return static_cast<double>(nominalNs_) + static_cast<double>(sumNs_) / static_cast<double>(count());
}

double IntervalFigures::standardDeviationNs() const {
  if (count() < 2) return std::numeric_limits<double>::quiet_NaN();
  const auto intervals = static_cast<int64_t>(count());
  // Around the whole mean, so that no product is larger than the sum of the squares: that fills 128 bits.
  // What is left of the sum has the mean's sign.
  const int64_t mean = sumNs_ / intervals;
  const int64_t rest = sumNs_ % intervals;
  const Wide around = squares_ - product(sizeOf(mean), sizeOf(sumNs_) + sizeOf(rest));
  const double ofRest =
      static_cast<double>(rest) * static_cast<double>(rest) / static_cast<double>(intervals);
  return std::sqrt(std::max(0.0, static_cast<double>(around) - ofRest) / static_cast<double>(intervals - 1));
}

IntervalFigures::TimeBins IntervalFigures::timeBins() const {
  TimeBins bins;
  histogram_.visit([&](int64_t deviationNs, uint32_t times) {
    const size_t bin = timeBinOf(static_cast<double>(nominalNs_ + deviationNs) / 1e3);
    if (bins.counts.empty()) bins.firstBin = bin;
    bins.counts.resize(std::max(bins.counts.size(), bin - bins.firstBin + 1));
    bins.counts[bin - bins.firstBin] += times;
  });
  return bins;
}

}  // namespace whiteline::pacer
