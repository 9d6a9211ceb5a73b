import type { Clock } from '../protocol/clock';

/** Milliseconds of the monotonic clock. */
export function monotonicMs(clock: Pick<Clock, 'monotonicNs'>): number {
  return clock.monotonicNs() / 1e6;
}
