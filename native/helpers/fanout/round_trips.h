#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace whiteline::fanout {

/** The round trips of pings that go to all subscribers in turn. */
class RoundTrips {
 public:
  explicit RoundTrips(uint32_t subscribers) : subscribers_(subscribers) {}

  /** Of the next ping; empty: its answer did not come. */
  void add(std::optional<int64_t> roundTripNs);

  /** Whose turn is next. */
  uint32_t next() const { return static_cast<uint32_t>(roundTripsNs_.size() % subscribers_); }

  struct Figures {
    uint64_t count = 0;
    uint64_t timedOut = 0;
    // Quantiles are of those that came (nearest rank); 0 if none did.
    int64_t minNs = 0;
    int64_t p50Ns = 0;
    int64_t p90Ns = 0;
    int64_t p99Ns = 0;
    int64_t p9999Ns = 0;
    int64_t maxNs = 0;
  };
  /** @param subscriber empty: of all */
  Figures figures(std::optional<uint32_t> subscriber) const;

 private:
  uint32_t subscribers_;
  /** In the order of the turns; below 0: timed out. */
  std::vector<int64_t> roundTripsNs_;
};

}  // namespace whiteline::fanout
