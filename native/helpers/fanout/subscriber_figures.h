#pragma once

#include <cstdint>
#include <span>

#include "native/helpers/fanout/sample_ledger.h"

namespace whiteline::fanout {

/** What one subscriber received. */
class SubscriberFigures {
 public:
  explicit SubscriberFigures(size_t sampleBytes) : sampleBytes_(sampleBytes) {}

  /** The samples of a payload, of which a damaged one does not count as received. */
  void add(std::span<const uint8_t> payload, int64_t nowNs);
  void expect(int64_t samples) { ledger_.expect(samples); }

  const SampleLedger& ledger() const { return ledger_; }
  uint64_t bytes() const { return ledger_.received() * sampleBytes_; }
  uint64_t damaged() const { return damaged_; }
  /** 0 before the first. */
  int64_t firstNs() const { return firstNs_; }
  int64_t lastNs() const { return lastNs_; }

 private:
  size_t sampleBytes_;
  SampleLedger ledger_;
  uint64_t damaged_ = 0;
  int64_t firstNs_ = 0;
  int64_t lastNs_ = 0;
};

}  // namespace whiteline::fanout
