import { expect, test } from 'vitest';
import { ratioInterval } from './figures.mjs';

test('an interval of ratios treats twice and half alike, and is as wide as they differ', () => {
  expect(ratioInterval([2, 2, 2])).toEqual({ mean: 2, low: 2, high: 2 });
  const { mean, low, high } = ratioInterval([0.5, 2]);
  expect(mean).toBeCloseTo(1, 12);
  expect(Math.log(high)).toBeCloseTo(12.706 * Math.LN2, 9);
  expect(low * high).toBeCloseTo(1, 9);
  expect(ratioInterval([1.1])).toBeNull();
});
