import { expect, test } from 'vitest';
import { DrawRate } from './draw-rate';

function rateAfter(timesMs: number[]): number | null {
  const rate = new DrawRate();
  let newest: number | null = null;
  for (const timeMs of timesMs) newest = rate.note(timeMs);
  return newest;
}

const everyMs = (intervalMs: number, count: number): number[] =>
  Array.from({ length: count }, (_, index) => 5000 + index * intervalMs);

test('says nothing before a second is over', () => {
  expect(rateAfter(everyMs(40, 25))).toBeNull();
  expect(rateAfter(everyMs(40, 26))).toBeCloseTo(25, 6);
});

test('follows a change of pace within a second', () => {
  const fast = everyMs(40, 100);
  const slow = everyMs(200, 6).map((timeMs) => timeMs + 100 * 40);
  expect(rateAfter([...fast, ...slow])).toBeCloseTo(5, 6);
});

test('reports rates of less than one a second too', () => {
  expect(rateAfter(everyMs(2500, 4))).toBeCloseTo(0.4, 6);
});
