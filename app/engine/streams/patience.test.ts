import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Patience } from './patience';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('it gives up after its time, but not at once behind a time in which this process stood still', () => {
  let stoodStillNs = 0;
  const clock = { monotonicNs: () => performance.now() * 1e6 + stoodStillNs };
  const giveUp = vi.fn();
  const patience = new Patience(clock, 15_000, giveUp);
  vi.advanceTimersByTime(14_000);
  patience.refresh();
  vi.advanceTimersByTime(14_000);
  stoodStillNs = 20e9;
  vi.advanceTimersByTime(1000);
  expect(giveUp).not.toHaveBeenCalled();
  vi.advanceTimersByTime(15_000);
  expect(giveUp).toHaveBeenCalledTimes(1);
});
