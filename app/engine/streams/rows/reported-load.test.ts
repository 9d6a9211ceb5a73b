import { expect, test } from 'vitest';
import { sharedLoad } from '../../../testing/shared-load';
import { ReportedLoads } from './reported-load';

/** Reports of a sender whose clock is 100 s ahead, each as [measured there, arrived here], s. */
function heard(...reports: [measured: number, arrived: number][]): ReportedLoads {
  const loads = new ReportedLoads();
  for (const [measured, arrived] of reports) {
    loads.hear(sharedLoad({ measuredNs: measured * 1e9, cpuPercent: measured }), arrived * 1e9);
  }
  return loads;
}

function secondsOf(loads: ReportedLoads): number[] {
  return loads.within(0, 1e13).map(({ atNs }) => atNs / 1e9);
}

test('a measurement counts once, however often it comes', () => {
  const loads = heard([101, 1], [101, 1.25], [101, 5], [100.5, 7]);
  expect(secondsOf(loads)).toEqual([1]);
});

test('a report that was held up counts at the time that it is of', () => {
  const loads = heard([101, 1], [101.5, 1.5], [102, 9], [102.5, 9], [103, 9]);
  expect(secondsOf(loads)).toEqual([1, 1.5, 2, 2.5, 3]);
});

test('clocks that drift apart are followed', () => {
  const drifting = Array.from({ length: 1000 }, (_, index): [number, number] => [
    101 + index,
    1 + 1.01 * index,
  ]);
  const last = secondsOf(heard(...drifting)).at(-1) ?? Number.NaN;
  expect(Math.abs(last - (1 + 1.01 * 999))).toBeLessThan(0.25);
});

test('the longest time without a report counts to both ends of the row', () => {
  const loads = heard([101, 1], [101.5, 1.5], [102, 2], [106, 6]);
  expect(loads.longestGapNs(0, 7e9)).toBe(4e9);
  expect(loads.longestGapNs(0.5e9, 2.2e9)).toBe(0.5e9);
  expect(loads.longestGapNs(10e9, 20e9)).toBe(10e9);
});

test('a report of this machine is of the moment that it names, however long it was on its way', () => {
  const loads = new ReportedLoads();
  expect(loads.isHere).toBe(false);
  for (const [measured, arrived] of [
    [10, 10.3],
    [10.5, 12],
    [11, 12],
  ] as const)
    loads.hear(sharedLoad({ measuredNs: measured * 1e9, cpuPercent: measured }), arrived * 1e9, true);
  expect(loads.isHere).toBe(true);
  expect(secondsOf(loads)).toEqual([10, 10.5, 11]);
  const at = (seconds: number) => loads.at(seconds * 1e9)?.cpuPercent ?? null;
  expect([9.5, 9.9, 10, 10.51, 11.2, 11.4].map(at)).toEqual([null, 10, 10, 10.5, 11, null]);
});

test('a report of this machine is of no moment to come, and hides none of those that come later', () => {
  const loads = new ReportedLoads();
  for (const [measured, arrived] of [
    [10, 10.1],
    [1e6, 10.3],
    [10.5, 10.6],
    [11, 11.1],
  ] as const)
    loads.hear(sharedLoad({ measuredNs: measured * 1e9, cpuPercent: 50 }), arrived * 1e9, true);
  expect(secondsOf(loads)).toEqual([10, 10.5, 11]);
});
