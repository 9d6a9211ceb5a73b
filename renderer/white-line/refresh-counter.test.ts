import { expect, test } from 'vitest';
import { RefreshCounter } from './refresh-counter';

/** Ticks at a steady rate, leaving out the refreshes named. */
function run(refreshHz: number, refreshes: number, leftOut: number[] = []): RefreshCounter {
  const counter = new RefreshCounter();
  for (let refresh = 0; refresh < refreshes; refresh += 1) {
    if (!leftOut.includes(refresh)) counter.tick(1000 + (refresh * 1000) / refreshHz);
  }
  return counter;
}

test('counts every refresh of a steady display and misses none', () => {
  const counter = run(60, 600);
  expect(counter.frameNumber).toBe(599);
  expect(counter.missed).toBe(0);
  expect(counter.refreshHz).toBeCloseTo(60, 6);
});

test('counts refreshes that brought no tick, and keeps the frame number on the clock', () => {
  const counter = run(120, 1000, [300, 500, 501, 502]);
  expect(counter.missed).toBe(4);
  expect(counter.frameNumber).toBe(999);
  expect(counter.refreshHz).toBeCloseTo(120, 6);
});

test('bears timestamps that jitter', () => {
  const counter = new RefreshCounter();
  for (let refresh = 0; refresh < 300; refresh += 1) {
    counter.tick(refresh * (1000 / 59.94) + (refresh % 3) * 0.4);
  }
  expect(counter.missed).toBe(0);
  expect(counter.refreshHz ?? 0).toBeGreaterThan(58);
});

test('says nothing about the rate before it has settled', () => {
  expect(run(60, 10).refreshHz).toBeNull();
});

test('takes a long pause for a suspended window, and a repeated timestamp for no refresh', () => {
  const counter = run(60, 100);
  const before = counter.frameNumber;
  counter.tick(1_000_000);
  counter.tick(1_000_000);
  expect(counter.frameNumber).toBe(before + 1);
  expect(counter.missed).toBe(0);
});

test('of a display whose rate is known, a window that is always slow misses refreshes from the first on', () => {
  const counter = new RefreshCounter();
  counter.displayHz = 60;
  for (let tick = 0; tick < 13; tick += 1) counter.tick(1000 + (tick * 1000) / 12);
  expect(counter.missed).toBe(12 * 4);
  expect(counter.frameNumber).toBe(60);
});

test('a slow window and a quick one agree on the rate of their display, and so on what was missed', () => {
  const [slow, quick] = [new RefreshCounter(), new RefreshCounter()];
  for (const counter of [slow, quick]) counter.displayHz = 60;
  for (let refresh = 0; refresh < 600; refresh += 1) {
    const timestampMs = (refresh * 1000) / 59.94;
    quick.tick(timestampMs);
    if (refresh % 2 === 0) slow.tick(timestampMs);
  }
  expect(slow.tickHz).toBeCloseTo(29.97, 6);
  expect(slow.refreshHz).toBeCloseTo(59.94, 6);
  expect(quick.refreshHz).toBeCloseTo(59.94, 6);
  expect([slow.missed, quick.missed]).toEqual([299, 0]);
});

test('a rate that becomes known counts for the ticks before it too', () => {
  const counter = new RefreshCounter();
  for (let tick = 0; tick < 60; tick += 1) counter.tick((tick * 1000) / 15);
  expect(counter.refreshHz).toBeCloseTo(15, 6);
  counter.displayHz = 60;
  expect(counter.refreshHz).toBeCloseTo(60, 6);
});
