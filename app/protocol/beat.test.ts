import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { beatMs, onBeat } from './beat';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** A clock that began at some odd moment, ns. */
const startNs = 7_123_456_789;

function nowNs(): number {
  return startNs + (Date.now() - beginMs) * 1e6;
}

let beginMs = 0;
beforeEach(() => {
  beginMs = Date.now();
});

function timesOf(run: (note: () => void) => () => void): { times: number[]; end: () => void } {
  const times: number[] = [];
  return { times, end: run(() => times.push(nowNs() / 1e6)) };
}

test('an action comes at each beat of the clock, at most a millisecond late', () => {
  const { times } = timesOf((note) => onBeat(nowNs, note));
  vi.advanceTimersByTime(10_000);
  expect(times).toHaveLength(40);
  for (const [index, ms] of times.entries()) {
    const late = ms - (29 + index) * beatMs;
    expect(late).toBeGreaterThanOrEqual(0);
    expect(late).toBeLessThan(1);
  }
});

test('two that share a beat come one after the other, in the order in which they began', () => {
  const order: string[] = [];
  onBeat(nowNs, () => order.push('sample'), { every: 2, afterMs: 10 });
  onBeat(nowNs, () => order.push('view'), { afterMs: 10 });
  vi.advanceTimersByTime(1010);
  expect(order.join(' ')).toMatch(/^(view sample view|sample view view) /);
  expect(order.filter((what) => what === 'view')).toHaveLength(4);
  expect(order.filter((what) => what === 'sample')).toHaveLength(2);
});

test('beats that were slept through come once', () => {
  let calls = 0;
  let sleptMs = 0;
  onBeat(
    () => nowNs() + sleptMs * 1e6,
    () => {
      calls += 1;
    },
  );
  vi.advanceTimersByTime(1000);
  expect(calls).toBe(4);
  sleptMs = 5000;
  vi.advanceTimersByTime(1000);
  expect(calls).toBe(8);
});

test('nothing comes after its end', () => {
  const { times, end } = timesOf((note) => onBeat(nowNs, note));
  vi.advanceTimersByTime(600);
  end();
  const before = times.length;
  vi.advanceTimersByTime(2000);
  expect(times).toHaveLength(before);
});
