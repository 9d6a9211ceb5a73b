import { afterEach, beforeEach, vi } from 'vitest';

/**
 * From now on timers and the monotonic clock stand still until `pass` or `vi.waitFor` moves them. Wall time goes on: what compares it
 * with ticks would wait for ever.
 */
export function stopTime(): void {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'hrtime'] });
}

/** The same in each test of a file. */
export function simulateTime(): void {
  beforeEach(stopTime);
  afterEach(() => {
    vi.useRealTimers();
  });
}

/** Lets so much time pass, and all that is due in it happen. */
export async function pass(ms: number): Promise<void> {
  await vi.advanceTimersByTimeAsync(ms);
}

/** Lets time pass until something is over. */
export async function passUntil<Result>(promise: Promise<Result>): Promise<Result> {
  let isOver = false;
  const over = promise.finally(() => {
    isOver = true;
  });
  over.catch(() => undefined);
  while (!isOver) await pass(100);
  return over;
}
