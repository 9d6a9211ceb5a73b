#pragma once

#include <cstdint>
#include <vector>

namespace whiteline {

/** What the fault injector does to a range of frame numbers of one stream; app/protocol/records.ts says what
 * each verb does. Miss is the mailbox's, all others the FaultInjector's; a stall is the receiver's
 * (`FrameRange`). */
struct Fault {
  enum class Verb : uint8_t {
    Miss,
    Skip,
    Repeat,
    Swap,
    Tear,
    TearMiddle,
    StaleBand,
    DamageTop,
    DamageBottom,
    Black,
    Green,
    SwapChroma,
    Dim,
    Shrink,
    Mislabel,
    Delay
  };

  Verb verb;
  /** Both included. */
  uint32_t first;
  uint32_t last;
  /** Of a delay, 0 otherwise. */
  int64_t delayNs = 0;
};

struct FrameRange {
  /** Both included. */
  uint32_t first;
  uint32_t last;
};

/** Also across the wrap at 2³²: the unsigned distance from the first number is right there too. */
constexpr bool isWithin(uint32_t frameNumber, uint32_t first, uint32_t last) {
  return frameNumber - first <= last - first;
}

}  // namespace whiteline
