import { uptime } from 'node:os';
import type { Clock } from '../protocol/clock';

/** The machine's clock: the monotonic one, and its distance to wall time. */

/** Nanoseconds of the monotonic clock, the same clock as in the native core's records. */
function monotonicNs(): number {
  return Number(process.hrtime.bigint());
}

/**
 * Wall clock minus monotonic clock in µs. Waits for ticks of the millisecond clock to be exact to some µs. Where the system takes
 * the processor away between the two clocks, a look comes out too small: two that agree are wanted, of five at most.
 */
function measureWallOffsetUs(): number {
  let largestUs = lookAtTickUs();
  for (let look = 1; look < 5; look++) {
    const offsetUs = lookAtTickUs();
    const agree = Math.abs(offsetUs - largestUs) < 100;
    largestUs = Math.max(largestUs, offsetUs);
    if (agree) break;
  }
  return largestUs;
}

function lookAtTickUs(): number {
  const before = Date.now();
  let wallMs = before;
  while (wallMs === before) wallMs = Date.now();
  return wallMs * 1000 - Math.round(monotonicNs() / 1000);
}

/** Wall time in ms since 1970 of a moment of the monotonic clock. */
export function wallMsOf(atNs: number, wallOffsetUs: number): number {
  return (atNs / 1000 + wallOffsetUs) / 1000;
}

/** Wall time at this moment. */
export function dateNow(clock: Pick<Clock, 'wallMs'>): Date {
  return new Date(clock.wallMs());
}

export function isoOf(atNs: number, wallOffsetUs: number): string {
  return new Date(wallMsOf(atNs, wallOffsetUs)).toISOString();
}

function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    if (signal?.aborted) done();
    else signal?.addEventListener('abort', done);
  });
}

/** The machine's own. It is given to whoever needs it by what starts the process; nothing else reads it. */
export const machineClock: Clock = {
  monotonicNs,
  uptimeSeconds: uptime,
  wallOffsetUs: measureWallOffsetUs,
  wallMs: () => Date.now(),
  sleep,
  after: (ms, act) => {
    const timer = setTimeout(act, ms);
    return () => clearTimeout(timer);
  },
  every: (ms, act) => {
    const timer = setInterval(act, ms);
    return () => clearInterval(timer);
  },
};
