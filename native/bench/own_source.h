#pragma once

#include <stdexcept>
#include <string>

#include "native/base/pacing/clock.h"
#include "native/transports/ndi/ndi_transport.h"

namespace whiteline {

/** A sender of this process, as discovery finds it within 20 s. */
inline DiscoveredSource findOwnSource(NdiTransport& transport, const std::string& name) {
  constexpr int64_t kPatienceNs = 20'000'000'000;
  constexpr int64_t kPauseNs = 50'000'000;
  const auto finder = transport.makeFinder({.extraAddresses = {"127.0.0.1"}, .groups = {}});
  const int64_t limitNs = monotonicNs() + kPatienceNs;
  while (monotonicNs() < limitNs) {
    for (const DiscoveredSource& source : finder->sources()) {
      if (source.name == name) return source;
    }
    sleepUntilNs(monotonicNs() + kPauseNs);
  }
  throw std::runtime_error("The own sender was not found within 20 s");
}

}  // namespace whiteline
