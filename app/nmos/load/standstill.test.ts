import { expect, test } from 'vitest';
import { StandstillWatch } from './standstill';

test('long gaps are summed, short ones are not, and the one that lasts until now counts', () => {
  let nowMs = 0;
  const watch = new StandstillWatch(() => nowMs);
  const after = (ms: number): void => {
    nowMs += ms;
    watch.tick();
  };
  after(1000);
  watch.begin();
  for (const ms of [10, 90, 700, 10]) after(ms);
  nowMs += 190;
  expect(watch.read()).toEqual({ standstillMs: 690, standstillPercent: (100 * 870) / 2500 });
  for (let times = 0; times < 5; times++) after(810);
  expect(watch.read()).toEqual({ standstillMs: 800, standstillPercent: (100 * 4870) / 5050 });
  watch.split();
  for (let times = 0; times < 1000; times++) after(20);
  expect(watch.read()).toEqual({ standstillMs: 800, standstillPercent: (100 * 4870) / 5050 });
  watch.begin();
  expect(watch.read()).toEqual({ standstillMs: 0, standstillPercent: 0 });
});
