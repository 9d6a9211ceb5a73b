#include "native/helpers/fanout/round_trips.h"

#include <algorithm>
#include <cmath>

namespace whiteline::fanout {
namespace {

constexpr int64_t kTimedOut = -1;

int64_t quantile(const std::vector<int64_t>& sorted, double share) {
  const auto rank = static_cast<size_t>(std::ceil(share * static_cast<double>(sorted.size())));
  return sorted[std::clamp<size_t>(rank, 1, sorted.size()) - 1];
}

}  // namespace

void RoundTrips::add(std::optional<int64_t> roundTripNs) {
  roundTripsNs_.push_back(roundTripNs.value_or(kTimedOut));
}

RoundTrips::Figures RoundTrips::figures(std::optional<uint32_t> subscriber) const {
  Figures figures;
  std::vector<int64_t> came;
  const size_t step = subscriber ? subscribers_ : 1;
  for (size_t at = subscriber.value_or(0); at < roundTripsNs_.size(); at += step) {
    if (roundTripsNs_[at] == kTimedOut) {
      ++figures.timedOut;
    } else {
      came.push_back(roundTripsNs_[at]);
    }
  }
  figures.count = came.size();
  if (came.empty()) return figures;
  std::sort(came.begin(), came.end());
  figures.minNs = came.front();
  figures.p50Ns = quantile(came, 0.5);
  figures.p90Ns = quantile(came, 0.9);
  figures.p99Ns = quantile(came, 0.99);
  figures.p9999Ns = quantile(came, 0.9999);
  figures.maxNs = came.back();
  return figures;
}

}  // namespace whiteline::fanout
