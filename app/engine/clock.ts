/** The one clock of the engine: the machine's monotonic clock, and its distance to wall time. */

/** Nanoseconds of the monotonic clock, the same clock as in the native core's records. */
export function monotonicNs(): number {
  return Number(process.hrtime.bigint());
}

/**
 * Wall clock minus monotonic clock in µs, taken once and shared by all processes of this machine, so that a step of
 * the wall clock never enters a latency. Waits for the next tick of the millisecond clock to be exact to some µs.
 */
export function measureWallOffsetUs(): number {
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
