// Feeds arbitrary bytes to the reader of payloads, and checks what a subscriber makes of them.

#include <algorithm>
#include <cstdint>
#include <memory>
#include <span>

#include "native/fuzz/fuzz_input.h"
#include "native/helpers/fanout/sample.h"
#include "native/helpers/fanout/subscriber_figures.h"

using namespace whiteline::fanout;
using whiteline::fuzz::require;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  whiteline::fuzz::Input input({data, size});
  const size_t sampleBytes = kLeastSampleBytes + input.number(1);
  const std::span<const uint8_t> rest = input.rest();
  const auto copy = std::make_unique<uint8_t[]>(rest.size());
  std::copy(rest.begin(), rest.end(), copy.get());
  const std::span<const uint8_t> payload(copy.get(), rest.size());
  uint64_t sound = 0;
  const uint64_t damaged = forEachSample(payload, sampleBytes, [&](const SampleHeader&) { ++sound; });
  require(sound + damaged == (payload.size() + sampleBytes - 1) / sampleBytes);
  SubscriberFigures figures(sampleBytes);
  figures.add(payload, 1);
  require(figures.damaged() >= damaged);
  require(figures.ledger().received() + figures.ledger().duplicated() + figures.damaged() == sound + damaged);
  return 0;
}
