import { expect, test } from 'vitest';
import { timeTicks } from './time-ticks';

const minute = { fromMs: 10_000, toMs: 70_000 };

test('ticks of time are round, and no more than find room', () => {
  expect(timeTicks(minute, 6)).toEqual([10_000, 20_000, 30_000, 40_000, 50_000, 60_000, 70_000]);
  expect(timeTicks(minute, 4)).toEqual([15_000, 30_000, 45_000, 60_000]);
  expect(timeTicks({ fromMs: 0, toMs: 400 * 3_600_000 }, 5).length).toBeLessThanOrEqual(6);
});

test('labels of whole seconds have ticks of whole seconds', () => {
  const second = { fromMs: 10_100, toMs: 11_300 };
  expect(timeTicks(second, 6)).toEqual([10_200, 10_400, 10_600, 10_800, 11_000, 11_200]);
  expect(timeTicks(second, 6, 1000)).toEqual([11_000]);
});
