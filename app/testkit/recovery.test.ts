import { expect, test } from 'vitest';
import { Recovery } from './recovery';

const [holdNs, lookNs, untilNs] = [0.75e9, 0.05e9, 1e9];

/** @returns what it finds, and when, of pictures that come or do not at each moment; said to receive for so long after the last. */
function found(comesAt: (ns: number) => boolean, saidForNs = 0.6e9): [boolean, number] {
  const recovery = new Recovery(untilNs);
  let newestNs = 0;
  for (let nowNs = 0; nowNs < 60e9; nowNs += lookNs) {
    if (comesAt(nowNs)) newestNs = nowNs;
    const isBack = recovery.look(nowNs, nowNs - newestNs < saidForNs, newestNs, holdNs);
    if (isBack !== null) return [isBack, nowNs / 1e9];
  }
  throw new Error('It never knows');
}

test('one picture that was on its way is no recovery, however late the silence is noticed', () => {
  expect(found((ns) => ns <= 0.05e9)).toEqual([false, 1]);
  expect(found((ns) => ns <= 0.05e9, 5e9)).toEqual([false, 5.05]);
});

test('pictures that go on are one', () => {
  expect(found(() => true)).toEqual([true, 0.75]);
  const [isBack, seconds] = found((ns) => ns >= 0.8e9, 0.3e9);
  expect(isBack).toBe(true);
  expect(seconds).toBeCloseTo(1.55, 6);
});

test('pictures that stop again are none', () => {
  expect(found((ns) => ns >= 0.7e9 && ns < 1.2e9, 0.3e9)[0]).toBe(false);
});
