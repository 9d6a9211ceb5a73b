#pragma once

#include <cstdint>

namespace whiteline {

/** Nanoseconds of the machine's monotonic clock: the same for all processes of the machine. */
int64_t monotonicNs();

/** Sleeps until the monotonic clock has reached `deadlineNs`; returns at once when it is past. */
void sleepUntilNs(int64_t deadlineNs);

}  // namespace whiteline
