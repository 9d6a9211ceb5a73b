import { expect, test } from 'vitest';
import { lostPerSecond } from './lost-per-second';

const running = { lostNow: 2, framesInOutages: null, deliveredFps: 60 };

test('is the sum over the streams, and unknown without one', () => {
  expect(lostPerSecond([])).toBeNull();
  expect(lostPerSecond([running, { ...running, lostNow: 3 }])).toBe(5);
});

test('is unknown while an outage lasts, and counted again after it', () => {
  for (const deliveredFps of [0, null])
    expect(lostPerSecond([running, { lostNow: 0, framesInOutages: 30, deliveredFps }])).toBeNull();
  expect(lostPerSecond([running, { lostNow: 0, framesInOutages: 30, deliveredFps: 59.9 }])).toBe(2);
});

test('counts what a stalled stream lost where its sender’s records report', () => {
  expect(lostPerSecond([{ lostNow: 60, framesInOutages: null, deliveredFps: 0 }])).toBe(60);
});
