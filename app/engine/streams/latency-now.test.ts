import { expect, test } from 'vitest';
import { RecentLatencies } from './counting/recent-latencies';
import { latencyNow } from './latency-now';

function streamOf(...frames: [captureSeconds: number, ms: number][]) {
  const recentLatencies = new RecentLatencies();
  for (const [seconds, ms] of frames)
    recentLatencies.add(seconds * 1e9, { us: ms * 1000, uncertaintyUs: 2000 });
  return { ledger: { recentLatencies } };
}

test('percentiles are those of all frames of the last second, of all streams together', () => {
  const slow = streamOf([8.9, 900], [9.2, 30], [9.9, 40]);
  const fast = streamOf(
    ...Array.from({ length: 98 }, (_, index): [number, number] => [9.1 + index / 1000, 5]),
  );
  expect(latencyNow([slow, fast], 10e9)).toEqual({ p50Ms: 5, p99Ms: 30 });
  expect(latencyNow([slow], 9.5e9)).toEqual({ p50Ms: 40, p99Ms: 900 });
});

test('without a frame of a known age there is none', () => {
  expect(latencyNow([], 10e9)).toBeNull();
  expect(latencyNow([{ ledger: null }, streamOf([3, 7])], 10e9)).toBeNull();
});

test('a frame captured before its release is one of no latency within the ±, and spoils the second beyond it', () => {
  expect(latencyNow([streamOf([9.5, -1.9])], 10e9)).toEqual({ p50Ms: 0, p99Ms: 0 });
  expect(latencyNow([streamOf([9.5, 4], [9.6, -2.1], [9.7, 4])], 10e9)).toBeNull();
});

test('the newest frames take the place of the oldest', () => {
  const stream = streamOf(
    ...Array.from({ length: 2000 }, (_, index): [number, number] => [index / 2000, index]),
  );
  const found: number[] = [];
  stream.ledger.recentLatencies.since(0, found);
  expect(found).toHaveLength(512);
  expect(found[0]).toBe(1_999_000);
  expect(found.at(-1)).toBe(1_488_000);
});
