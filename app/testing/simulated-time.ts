import { afterEach, beforeEach, onTestFinished, vi } from 'vitest';

const realTimeout = globalThis.setTimeout;

/**
 * From now on timers and the monotonic clock stand still until `pass`, `vi.waitFor` or `expect.poll` moves them. Wall time goes on:
 * what compares it with ticks would wait for ever.
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

/** Waits for what other processes or the network do, while the simulated time stands still. */
export async function whileTimeStands(isSo: () => boolean): Promise<void> {
  let isOver = false;
  onTestFinished(() => {
    isOver = true;
  });
  while (!isSo() && !isOver) await new Promise((resolve) => realTimeout(resolve, 5));
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
