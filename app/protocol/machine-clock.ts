import { uptime } from 'node:os';
import type { Clock } from './clock';

/** The clock of this machine. Only what starts a program takes it from here; all else is given it. */
export const machineClock: Clock = {
  monotonicNs,
  uptimeSeconds: uptime,
  wallOffsetUs,
  wallMs: Date.now,
  sleep,
  after(ms, act) {
    const timer = setTimeout(act, ms);
    return () => clearTimeout(timer);
  },
  every(ms, act) {
    const timer = setInterval(act, ms);
    return () => clearInterval(timer);
  },
};

function monotonicNs(): number {
  return Number(process.hrtime.bigint());
}

/**
 * Waits for ticks of the millisecond clock to be exact to some µs. Where the system takes the processor away between the two clocks,
 * a look comes out too small: two that agree are wanted, of five at most.
 */
function wallOffsetUs(): number {
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
