#include "native/helpers/fanout/subscriber_figures.h"

#include "native/helpers/fanout/sample.h"

namespace whiteline::fanout {
namespace {

/** No row has as many. */
constexpr uint64_t kMostSamples = uint64_t{1} << 48;

}  // namespace

void SubscriberFigures::add(std::span<const uint8_t> payload, int64_t nowNs) {
  damaged_ += forEachSample(payload, sampleBytes_, [this](const SampleHeader& header) {
    if (header.number < kMostSamples) {
      ledger_.add(static_cast<int64_t>(header.number));
    } else {
      ++damaged_;
    }
  });
  if (firstNs_ == 0) firstNs_ = nowNs;
  lastNs_ = nowNs;
}

}  // namespace whiteline::fanout
