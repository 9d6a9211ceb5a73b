import { build } from 'hdr-histogram-js';
import { expect, test } from 'vitest';
import { binStartMs } from '../../../facts/time-bins';
import { Random, seeds } from '../../../testing/random';
import { TimeHistogram } from './time-histogram';

function of(...timesUs: number[]): TimeHistogram {
  const times = new TimeHistogram();
  for (const us of timesUs) times.add(us);
  return times;
}

test('percentiles are those of the values, to three digits, and no one lies above the largest', () => {
  const times = of(...Array.from({ length: 1000 }, (_, index) => (index + 1) * 100));
  const { min, p50, p90, p99, p999, max } = times.distribution();
  expect(min).toBe(0.1);
  for (const [figure, exact] of [
    [p50, 50],
    [p90, 90],
    [p99, 99],
    [p999, 99.9],
    [max, 100],
  ] as const)
    expect(Math.abs((figure ?? 0) - exact) / exact).toBeLessThan(0.001);
  expect(of(1000.4).distribution()).toMatchObject({ p50: 1, p99: 1, max: 1 });
});

test('p99.9 of fewer than 1,000 values is their largest, and is not measured', () => {
  const values = (count: number) => Array.from({ length: count }, (_, index) => index + 1);
  expect(of(...values(999)).distribution().p999).toBeNull();
  expect(of(...values(1000)).distribution().p999).toBe(0.999);
});

test.each(seeds)('percentiles are the ones that the library finds value by value (seed %i)', (seed) => {
  const random = new Random(seed);
  for (let round = 0; round < 200; round++) {
    const histogram = build({
      bitBucketSize: 32,
      highestTrackableValue: 60e6,
      numberOfSignificantValueDigits: 3,
    });
    const times = new TimeHistogram();
    const magnitude = 10 ** random.whole(0, 8);
    for (let count = random.whole(1, 300); count > 0; count--) {
      const us = Math.min(random.whole(0, magnitude), 60e6);
      times.add(us);
      histogram.recordValue(us);
    }
    const percentiles = [0, 1, 50, 90, 99, 99.9, 100];
    expect(times.percentilesMs(percentiles), `round ${round}`).toEqual(
      percentiles.map((percentile) => {
        const us = histogram.getValueAtPercentile(Math.max(percentile, 1e-9));
        return Math.min(us, histogram.maxValue) / 1000;
      }),
    );
  }
});

test('jitter is the mean difference between two values that follow each other', () => {
  expect(of(1000, 3000, 2000, 2000).jitterMs).toBeCloseTo((2 + 1 + 0) / 3, 9);
  expect(of(1000).jitterMs).toBeNull();
  expect(of().jitterMs).toBeNull();
});

test('nothing is known of nothing; what is no time does not count', () => {
  const times = of(-1, Number.NaN);
  expect(times.count).toBe(0);
  expect(times.distribution()).toEqual({ min: null, p50: null, p90: null, p99: null, p999: null, max: null });
  expect(times.percentilesMs([50])[0]).toBeNull();
});

test('times beyond a minute count as a minute, and 0 is a time', () => {
  expect(of(0, 90e6).distribution()).toMatchObject({ min: 0, p50: 0 });
  expect(of(90e6).distribution().max).toBeCloseTo(60_000, -2);
});

test('merged, two streams have one distribution, and each keeps its own', () => {
  const [one, other, merged] = [of(1000, 2000), of(4000), new TimeHistogram()];
  for (const times of [one, other, new TimeHistogram()]) merged.merge(times);
  expect(merged.count).toBe(3);
  expect(merged.distribution().min).toBe(1);
  expect(merged.distribution().max).toBeCloseTo(4, 2);
  expect([one.count, other.count]).toEqual([2, 1]);
});

test('bins hold every time once, each where it belongs', () => {
  const histogram = new TimeHistogram();
  const times = [0, 0.4, 1, 999, 1000, 1047, 1048, 16_667, 16_667, 60e6];
  for (const time of times) histogram.add(time);
  const bins = histogram.bins();
  if (!bins) throw new Error('times were added');
  const counted = bins.counts.flatMap((count, index) => (count > 0 ? [[bins.firstBin + index, count]] : []));
  expect(counted.map(([, count]) => count).reduce((sum = 0, count = 0) => sum + count, 0)).toBe(times.length);
  for (const [bin = 0, count] of counted) {
    const within = times.filter((us) => {
      const rounded = Math.max(1, us) / 1000;
      return rounded >= binStartMs(bin) * 0.9999999 && rounded < binStartMs(bin + 1) * 0.9999999;
    });
    expect(within).toHaveLength(count ?? 0);
  }
  expect(new TimeHistogram().bins()).toBeNull();
});
