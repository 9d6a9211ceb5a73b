#pragma once

#include <cstdint>

namespace whiteline {

/**
 * How a receiver learns its sender's time: it asks, and the sender answers. All times are µs of a release
 * clock: the monotonic clock plus the wall offset of its machine, the clock of the release times in the frame
 * code. An answer goes to every receiver of the sender, so each takes only what carries its own id.
 */
struct TimeQuestion {
  /** Random, the asker's. */
  uint64_t id;
  /** Receiver's clock: just before the question was sent. */
  int64_t askedUs;

  bool operator==(const TimeQuestion&) const = default;
};

struct TimeAnswer {
  uint64_t id;
  int64_t askedUs;
  /** Sender's clock: just after the question came. */
  int64_t heardUs;
  /** Sender's clock: just before the answer was sent. */
  int64_t repliedUs;

  bool operator==(const TimeAnswer&) const = default;
};

/** Farther from 0 no time is taken: up to here doubles are exact, and no difference of two overflows. */
constexpr int64_t kMostTimeUs = int64_t{1} << 53;

}  // namespace whiteline
