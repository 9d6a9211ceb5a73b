import { expect, test } from 'vitest';
import { Slices } from './slices';

function* busy(steps: number, stepMs: number, done: () => void = () => undefined): Generator<void, number> {
  for (let step = 0; step < steps; step++) {
    const endMs = performance.now() + stepMs;
    while (performance.now() < endMs);
    yield;
  }
  done();
  return steps;
}

test('short work is done at once', () => {
  expect(new Slices().run(busy(3, 0))).toBe(3);
});

test('long work leaves room for other work and other events', async () => {
  const slices = new Slices();
  const ended: string[] = [];
  let turns = 0;
  const count = (): void => {
    turns++;
    if (ended.length < 3) setImmediate(count);
  };
  setImmediate(count);
  await Promise.all([
    slices.run(busy(400, 0.2, () => ended.push('long'))),
    slices.run(busy(20, 0.2, () => ended.push('short'))),
    slices.later(busy(1, 0, () => ended.push('last'))),
  ]);
  expect(ended.at(-1)).toBe('long');
  // 80 ms of work, at most about 5 ms in each turn.
  expect(turns).toBeGreaterThan(10);
});

test('work that fails refuses its promise, and the rest goes on', async () => {
  const slices = new Slices();
  const broken = (function* (): Generator<void, void> {
    yield;
    throw new Error('broken');
  })();
  await Promise.all([
    expect(slices.later(broken)).rejects.toThrow('broken'),
    expect(slices.later(busy(2, 0))).resolves.toBe(2),
  ]);
});
