import { expect, test } from 'vitest';
import { Arrivals } from './arrivals';

const second = 1e9;
/** 64 a second: exact in binary. */
const period = second / 64;

function steady(pictures: number, startNs = second): Float64Array {
  return Float64Array.from({ length: pictures }, (_, index) => startNs + index * period);
}

test('each interval of the newest pictures, at the time of the later one', () => {
  const arrivals = new Arrivals();
  arrivals.add(Float64Array.from([1e9, 1.01e9, 1.05e9]));
  arrivals.add(Float64Array.from([1.06e9]));
  const all = arrivals.between(0, 2e9);
  expect(all.isWhole).toBe(true);
  expect([...all.atNs]).toEqual([1.01e9, 1.05e9, 1.06e9]);
  expect([...all.longestMs].map(Math.round)).toEqual([10, 40, 10]);
  // The interval that ends within the range belongs to it, also where it began before.
  const part = arrivals.between(1.02e9, 1.055e9);
  expect([...part.atNs]).toEqual([1.05e9]);
  expect([arrivals.firstNs, arrivals.lastNs]).toEqual([1e9, 1.06e9]);
});

test('pictures that are not newer are left out, and nothing is known before the second one', () => {
  const arrivals = new Arrivals();
  expect([...arrivals.between(0, 9e9).atNs]).toEqual([]);
  arrivals.add(Float64Array.from([1e9, 1e9, 0.5e9]));
  expect([...arrivals.between(0, 9e9).atNs]).toEqual([]);
});

test('older ones are taken together: the longest interval of an hour ago is still found, and its place', () => {
  const arrivals = new Arrivals();
  const hour = 3600;
  // One that is late by 480 ms, ten minutes after the first.
  const times = steady(64 * hour);
  for (let index = 64 * 600; index < times.length; index++)
    times[index] = (times[index] ?? 0) + 0.48 * second;
  arrivals.add(times);
  const all = arrivals.between(0, 2 * hour * second);
  expect(all.isWhole).toBe(false);
  expect(all.atNs.length).toBeLessThanOrEqual(2048);
  expect(all.atNs.length).toBeGreaterThan(1024);
  const longest = Math.max(...all.longestMs);
  expect(longest).toBeCloseTo(495.625, 3);
  const atNs = all.atNs[all.longestMs.indexOf(longest)] ?? 0;
  expect(Math.abs(atNs - 601 * second)).toBeLessThan(2 * second);
  expect(Math.min(...all.shortestMs)).toBeCloseTo(15.625, 3);
  // The newest minute has each of its pictures.
  const minute = arrivals.between(arrivals.lastNs - 60 * second, arrivals.lastNs);
  expect(minute.isWhole).toBe(true);
  expect(minute.atNs.length).toBe(64 * 60 + 1);
});

test('a time without a picture leaves no interval there; the one after it is as long as it was', () => {
  const arrivals = new Arrivals();
  arrivals.add(steady(20_000));
  const endNs = arrivals.lastNs;
  arrivals.add(steady(20_000, endNs + 100 * second));
  const gap = arrivals.between(endNs + 2 * second, endNs + 98 * second);
  expect(gap.atNs.length).toBe(0);
  expect(Math.max(...arrivals.between(0, 1e15).longestMs)).toBe(100_000);
});
