import { expect, test } from 'vitest';
import { LateWakes } from './late-wakes';

/** Lengths of what a process that never waits for a processor reports at each wake, ms. */
function ofOne() {
  const wakes = new LateWakes();
  const wake = (dueMs: number, lateMs: number): number[] => {
    const dueNs = 8.64e15 + 1e6 * dueMs;
    const sleep = { dueNs, wokeNs: dueNs + 1e6 * lateMs, queuedBeforeNs: 0, queuedAfterNs: 0, stolenNs: 0 };
    return wakes.add(sleep).map(({ fromNs, toNs }) => (toNs - fromNs) / 1e6);
  };
  return { wake, nextLookMs: () => wakes.nextLookMs };
}

test('one of 50 ms counts at once', () => {
  const { wake } = ofOne();
  expect(wake(0, 49)).toEqual([]);
  expect(wake(100, 50)).toEqual([50]);
  expect(wake(200, 9)).toEqual([]);
});

test('short ones count where they take a quarter of a second, each once', () => {
  const { wake } = ofOne();
  for (let index = 0; index < 6; index++) expect(wake(60 * index, 40)).toEqual([]);
  expect(wake(360, 10)).toEqual([40, 40, 40, 40, 40, 40, 10]);
  expect(wake(420, 30)).toEqual([30]);
});

test('long ones count among them', () => {
  const { wake } = ofOne();
  expect(wake(0, 20)).toEqual([]);
  expect(wake(100, 200)).toEqual([200]);
  expect(wake(400, 30)).toEqual([20, 30]);
});

test('short ones that take 245 ms of each second do not count', () => {
  const { wake } = ofOne();
  for (let index = 0; index < 100; index++) expect(wake(200 * index, 49)).toEqual([]);
});

test('for a second after a late wake the thread looks more often', () => {
  const { wake, nextLookMs } = ofOne();
  wake(0, 9);
  expect(nextLookMs()).toBe(50);
  wake(100, 10);
  expect(nextLookMs()).toBe(10);
  wake(1109, 0);
  expect(nextLookMs()).toBe(10);
  wake(1110, 0);
  expect(nextLookMs()).toBe(50);
});
