import { expect, test } from 'vitest';
import { SimulatedClock } from '../../testing/simulated-clock';
import { StandstillWatch } from './standstill';

test('long gaps are summed, short ones are not, and the one that lasts until now counts', () => {
  let nowMs = 0;
  const clock = new SimulatedClock();
  clock.monotonicNs = () => nowMs * 1e6;
  const watch = new StandstillWatch(clock);
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

test('it ticks each 10 ms until it is stopped, so that time without a gap is none', async () => {
  const clock = new SimulatedClock();
  const watch = new StandstillWatch(clock).start();
  await clock.pass(5000);
  expect(watch.read()).toEqual({ standstillMs: 0, standstillPercent: 0 });
  watch.stop();
  expect(clock.waiting).toBe(0);
});
