import { expect, test } from 'vitest';
import { meanOf, medianOf, standardDeviationOf } from './repeats';

test('mean, median and standard deviation of a sample', () => {
  const values = [2, 4, 4, 4, 5, 5, 7, 9];
  expect(meanOf(values)).toBe(5);
  expect(medianOf(values)).toBe(4.5);
  expect(medianOf([9, 1, 5])).toBe(5);
  expect(standardDeviationOf(values)).toBeCloseTo(Math.sqrt(32 / 7), 12);
});

test('of nothing there is nothing, and one value has no spread', () => {
  expect([meanOf([]), medianOf([]), standardDeviationOf([]), standardDeviationOf([3])]).toEqual([
    null,
    null,
    null,
    null,
  ]);
  expect([meanOf([3]), medianOf([3])]).toEqual([3, 3]);
});
