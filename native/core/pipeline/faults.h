#pragma once

#include <cstdint>
#include <vector>

namespace whiteline {

/** What the fault injector does to a range of frame numbers of one sender. */
struct Fault {
  /** Miss: before the submit record. Skip: after it, the send call is left out. */
  enum class Verb : uint8_t { Miss, Skip };

  Verb verb;
  /** Both included. */
  uint32_t first;
  uint32_t last;
};

inline bool hasFault(const std::vector<Fault>& faults, Fault::Verb verb, uint32_t frameNumber) {
  for (const Fault& fault : faults) {
    // The unsigned distance from the first number is right across the wrap at 2³² too.
    if (fault.verb == verb && frameNumber - fault.first <= fault.last - fault.first) return true;
  }
  return false;
}

}  // namespace whiteline
