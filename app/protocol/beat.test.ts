import { beforeEach, expect, test } from 'vitest';
import { SimulatedClock } from '../testing/simulated-clock';
import { beatMs, onBeat } from './beat';

let clock: SimulatedClock;
beforeEach(() => {
  clock = new SimulatedClock();
  // Begins between two beats.
  clock.stall(206.789);
});

function timesOf(run: (note: () => void) => () => void): { times: number[]; end: () => void } {
  const times: number[] = [];
  return { times, end: run(() => times.push(clock.monotonicNs() / 1e6)) };
}

test('an action comes at each beat of the clock, at most a millisecond late', async () => {
  const first = Math.floor(clock.monotonicNs() / 1e6 / beatMs) + 1;
  const { times } = timesOf((note) => onBeat(clock, note));
  await clock.pass(10_000);
  expect(times).toHaveLength(40);
  for (const [index, ms] of times.entries()) {
    const late = ms - (first + index) * beatMs;
    expect(late).toBeGreaterThanOrEqual(0);
    expect(late).toBeLessThan(1);
  }
});

test('two that share a beat come one after the other, in the order in which they began', async () => {
  const order: string[] = [];
  onBeat(clock, () => order.push('sample'), { every: 2, afterMs: 10 });
  onBeat(clock, () => order.push('view'), { afterMs: 10 });
  await clock.pass(1010);
  expect(order.join(' ')).toMatch(/^(view sample view|sample view view) /);
  expect(order.filter((what) => what === 'view')).toHaveLength(4);
  expect(order.filter((what) => what === 'sample')).toHaveLength(2);
});

test('beats that were slept through come once', async () => {
  let calls = 0;
  onBeat(clock, () => {
    calls += 1;
  });
  await clock.pass(1000);
  expect(calls).toBe(4);
  clock.stall(5000);
  await clock.pass(1000);
  expect(calls).toBe(4 + 1 + 4);
});

test('nothing comes after its end', async () => {
  const { times, end } = timesOf((note) => onBeat(clock, note));
  await clock.pass(600);
  end();
  const before = times.length;
  await clock.pass(2000);
  expect(times).toHaveLength(before);
});
