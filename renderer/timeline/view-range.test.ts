import { expect, test } from 'vitest';
import { intervalAxis, intervalTicks, showing, timeAt, within, xOf, yOf, zoomed } from './view-range';

const all = { fromMs: 10_000, toMs: 70_000 };
const plot = { left: 50, top: 10, width: 600, height: 200 };

test('a range stays within what there is, and long enough to be read', () => {
  expect(within({ fromMs: 0, toMs: 5000 }, all)).toEqual({ fromMs: 10_000, toMs: 15_000 });
  expect(within({ fromMs: 68_000, toMs: 78_000 }, all)).toEqual({ fromMs: 60_000, toMs: 70_000 });
  expect(within({ fromMs: 0, toMs: 1e6 }, all)).toEqual(all);
  expect(within({ fromMs: 20_000, toMs: 20_010 }, all)).toEqual({ fromMs: 19_905, toMs: 20_105 });
});

test('zooming keeps the moment under the pointer where it is', () => {
  const closer = zoomed(all, 0.5, 20_000);
  expect(closer).toEqual({ fromMs: 15_000, toMs: 45_000 });
  expect(xOf(20_000, closer, plot)).toBeCloseTo(xOf(20_000, all, plot));
  expect(zoomed(closer, 2, 20_000)).toEqual(all);
});

test('a moment outside is brought into the middle, one inside moves nothing', () => {
  expect(showing({ fromMs: 10_000, toMs: 20_000 }, 15_000)).toEqual({ fromMs: 10_000, toMs: 20_000 });
  expect(showing({ fromMs: 10_000, toMs: 20_000 }, 50_000)).toEqual({ fromMs: 45_000, toMs: 55_000 });
});

test('places and moments are each other’s inverse', () => {
  expect(xOf(40_000, all, plot)).toBe(350);
  expect(timeAt(350, all, plot)).toBe(40_000);
});

test('the axis of intervals is logarithmic, with the rate and the longest in it', () => {
  const axis = intervalAxis(20, 12_000);
  expect(axis).toEqual({ leastMs: 5, mostMs: 14_400 });
  expect(yOf(5, axis, plot)).toBe(210);
  expect(yOf(14_400, axis, plot)).toBe(10);
  // Half way in orders of magnitude, and what is outside stands at the edge.
  expect(yOf(Math.sqrt(5 * 14_400), axis, plot)).toBeCloseTo(110);
  expect(yOf(1, axis, plot)).toBe(210);
  expect(intervalTicks(intervalAxis(16.7, 0))).toEqual([5, 10, 20, 50, 100]);
});
