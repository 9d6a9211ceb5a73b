#pragma once

#include <cstdint>
#include <optional>

namespace whiteline::pacer {

/**
 * Finds out that a card's clock was set, by the kernel's stamps of the same packets. Those come late now and
 * then, so that what is set by less than a tenth of a second is not distinguished from an interval.
 */
class CardClock {
 public:
  /** Whether it was set between the packet before and this one. */
  bool wasSet(int64_t cardNs, int64_t monotonicNs);

  uint64_t steps() const { return steps_; }

 private:
  struct Stamps {
    int64_t cardNs;
    int64_t monotonicNs;
  };

  std::optional<Stamps> last_;
  uint64_t steps_ = 0;
};

}  // namespace whiteline::pacer
