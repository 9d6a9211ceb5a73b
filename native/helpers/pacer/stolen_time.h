#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "native/helpers/pacer/undisturbed.h"

namespace whiteline::pacer {

/** Ticks that the hypervisor took from a core, or from all of them without a number; empty: /proc/stat does
 * not say. */
std::optional<uint64_t> stolenTicksIn(const std::string& procStat, std::optional<int> core);

/** Windows in which the hypervisor took the processor away, as fine as it is looked. */
class StolenTime {
 public:
  explicit StolenTime(std::optional<int> core) : core_(core) {}

  /** To be called every now and then: a window lies between two calls. */
  void look(int64_t nowNs);
  /** What a look found: ticks since the start of the machine, where they are known. */
  void note(int64_t nowNs, std::optional<uint64_t> ticks);
  std::vector<TimeWindow> takeWindows();
  /** No window that was not taken begins before this. */
  int64_t settledNs() const { return lookedNs_; }

 private:
  std::optional<int> core_;
  std::optional<uint64_t> ticks_;
  int64_t lookedNs_ = 0;
  std::vector<TimeWindow> windows_;
};

}  // namespace whiteline::pacer
