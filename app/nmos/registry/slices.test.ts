import { expect, test } from 'vitest';
import { Slices } from './slices';

let nowMs = 0;
/** It goes on by work alone. */
const clock = { monotonicNs: () => nowMs * 1e6 };

function* busy(steps: number, stepMs: number, done: () => void = () => undefined): Generator<void, number> {
  for (let step = 0; step < steps; step++) {
    nowMs += stepMs;
    yield;
  }
  done();
  return steps;
}

test('short work is done at once', () => {
  expect(new Slices(clock).run(busy(3, 0))).toBe(3);
});

test('long work leaves room for other work and other events', async () => {
  const slices = new Slices(clock);
  const ended: string[] = [];
  let turns = 0;
  const count = (): void => {
    turns++;
    if (ended.length < 3) setImmediate(count);
  };
  setImmediate(count);
  await Promise.all([
    slices.run(busy(400, 0.25, () => ended.push('long'))),
    slices.run(busy(20, 0.25, () => ended.push('short'))),
    slices.later(busy(1, 0, () => ended.push('last'))),
  ]);
  expect(ended).toEqual(['last', 'short', 'long']);
  // 105 ms of work, of which the first 2 are done at once, and 5 in each turn.
  expect(turns).toBeGreaterThanOrEqual(103 / 5);
});

test('work that fails refuses its promise, and the rest goes on', async () => {
  const slices = new Slices(clock);
  const broken = (function* (): Generator<void, void> {
    yield;
    throw new Error('broken');
  })();
  await Promise.all([
    expect(slices.later(broken)).rejects.toThrow('broken'),
    expect(slices.later(busy(2, 0))).resolves.toBe(2),
  ]);
});
