import { uptime } from 'node:os';

/** The one clock of the engine: the machine's monotonic clock, and its distance to wall time. */

/** Nanoseconds of the monotonic clock, the same clock as in the native core's records. */
export function monotonicNs(): number {
  return Number(process.hrtime.bigint());
}

/**
 * Wall clock minus monotonic clock in µs. Waits for ticks of the millisecond clock to be exact to some µs. Where the system takes
 * the processor away between the two clocks, a look comes out too small: two that agree are wanted, of five at most.
 */
export function measureWallOffsetUs(): number {
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

export function isoOf(atNs: number, wallOffsetUs: number): string {
  return new Date(wallMsOf(atNs, wallOffsetUs)).toISOString();
}

/** The clocks of a machine. */
export interface MachineClocks {
  monotonicNs(): number;
  /** Since the start of the machine, the time in which it slept included. */
  uptimeSeconds(): number;
  /** Wall clock minus monotonic clock at this moment. */
  wallOffsetUs(): number;
  /** Wall time, ms since 1970, as exact as it is without waiting. */
  wallMs(): number;
}

export const machineClocks: MachineClocks = {
  monotonicNs,
  uptimeSeconds: uptime,
  wallOffsetUs: measureWallOffsetUs,
  wallMs: Date.now,
};

export function sleep(ms: number, signal?: AbortSignal): Promise<void> {
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
