#include "native/helpers/fanout/subscriber_figures.h"

#include "native/helpers/fanout/sample.h"

namespace whiteline::fanout {

void SubscriberFigures::add(std::span<const uint8_t> payload, int64_t nowNs) {
  damaged_ += forEachSample(payload, sampleBytes_, [this](const SampleHeader& header) {
    ledger_.add(static_cast<int64_t>(header.number));
  });
  if (firstNs_ == 0) firstNs_ = nowNs;
  lastNs_ = nowNs;
}

}  // namespace whiteline::fanout
