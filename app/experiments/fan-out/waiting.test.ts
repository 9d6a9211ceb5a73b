import { beforeEach, expect, test } from 'vitest';
import { SimulatedClock } from '../../testing/simulated-clock';
import { Waiting } from './waiting';

let clock: SimulatedClock;
let abort: AbortController;
let waiting: Waiting;
let startNs: number;

beforeEach(() => {
  clock = new SimulatedClock();
  startNs = clock.monotonicNs();
  abort = new AbortController();
  waiting = new Waiting({ clock, signal: abort.signal });
});

const passedMs = (): number => (clock.monotonicNs() - startNs) / 1e6;

test('what is there already is not waited for', async () => {
  expect(await clock.until(waiting.until(() => true, 30_000))).toBe(true);
  expect(passedMs()).toBe(0);
});

test('what comes is found at the look that finds it, and what does not come is not there in time', async () => {
  let isThere = false;
  clock.after(700, () => {
    isThere = true;
    waiting.look();
  });
  expect(await clock.until(waiting.until(() => isThere, 30_000))).toBe(true);
  expect(passedMs()).toBe(700);
  expect(await clock.until(waiting.until(() => false, 30_000))).toBe(false);
  expect(passedMs()).toBe(30_700);
});

test('a failure ends what waits and what waits later, and an abort does', async () => {
  clock.after(500, () => waiting.fail(new Error('its publisher died')));
  await expect(clock.until(waiting.until(() => false, 30_000))).rejects.toThrow('its publisher died');
  await expect(clock.until(waiting.until(() => true, 30_000))).rejects.toThrow('its publisher died');
  const stopped = new Waiting({ clock, signal: abort.signal });
  clock.after(500, () => abort.abort());
  await expect(clock.until(stopped.until(() => false, 30_000))).rejects.toMatchObject({ code: 'ABORTED' });
  expect(passedMs()).toBe(1000);
});
