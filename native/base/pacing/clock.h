#pragma once

#include <atomic>
#include <cstdint>

namespace whiteline {

/** Nanoseconds of the machine's monotonic clock: the same for all processes of the machine, unless skewed. */
int64_t monotonicNs();

/** Sleeps until the monotonic clock has reached `deadlineNs`; returns at once when it is past. */
void sleepUntilNs(int64_t deadlineNs);

#if defined(_WIN32)
/** False: this Windows ends a sleep only at its next tick, up to 16 ms late. */
bool sleepsFinely();
#endif

/**
 * How a pacing thread sleeps until `timeNs`: in pieces of at most 20 ms, so that its closer waits no
 * longer. False when `closing` was set meanwhile.
 */
bool sleepUntilOrClosing(int64_t timeNs, const std::atomic<bool>& closing);

/**
 * Makes this process's clock that of another machine, for tests: from now on it is ahead by `offsetNs` and
 * runs fast by `partsPerMillion` (above -1,000,000). Zeros end it. To be called while no other thread uses
 * the clock.
 */
void setClockSkew(int64_t offsetNs, double partsPerMillion);

}  // namespace whiteline
