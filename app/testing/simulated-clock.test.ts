import { readFile } from 'node:fs/promises';
import { beforeEach, expect, test } from 'vitest';
import { WallClock } from '../engine/wall-clock';
import { SimulatedClock } from './simulated-clock';

let clock: SimulatedClock;
let startNs: number;
let noted: [what: string, atMs: number][];

beforeEach(() => {
  clock = new SimulatedClock();
  startNs = clock.monotonicNs();
  noted = [];
});

const passedMs = (): number => (clock.monotonicNs() - startNs) / 1e6;
const note =
  (what: string): (() => void) =>
  () =>
    noted.push([what, passedMs()]);

test('time stands still until it is let pass, and each clock goes by the same', async () => {
  const [uptime, wallMs] = [clock.uptimeSeconds(), clock.wallMs()];
  await new Promise((resolve) => setTimeout(resolve, 5));
  expect(passedMs()).toBe(0);
  await clock.advance(1_500_000);
  expect(passedMs()).toBe(1.5);
  await clock.pass(2498.5);
  expect([passedMs(), clock.uptimeSeconds() - uptime, clock.wallMs() - wallMs]).toEqual([2500, 2.5, 2500]);
});

test('timers come in order of time, of one moment in the order in which they were set, each at its own moment', async () => {
  clock.after(300, note('c'));
  clock.after(100, note('a'));
  clock.every(150, note('each'));
  clock.after(150, note('b'));
  clock.after(0, note('now'));
  await clock.pass(300);
  expect(noted).toEqual([
    ['now', 0],
    ['a', 100],
    ['each', 150],
    ['b', 150],
    ['c', 300],
    ['each', 300],
  ]);
});

test('a timer that is stopped does not come, also by one that comes before it', async () => {
  const stop = clock.after(100, note('once'));
  const end = clock.every(100, note('each'));
  clock.after(50, stop);
  clock.after(250, () => end());
  await clock.pass(1000);
  expect(noted).toEqual([
    ['each', 100],
    ['each', 200],
  ]);
});

test('what follows from a timer happens before the next one', async () => {
  const chain = async (): Promise<void> => {
    await clock.sleep(100);
    for (let turn = 0; turn < 20; turn++) await Promise.resolve();
    note('after 20 turns')();
    await clock.sleep(50);
    note('slept again')();
  };
  void chain();
  clock.after(101, note('next'));
  await clock.pass(200);
  expect(noted).toEqual([
    ['after 20 turns', 100],
    ['next', 101],
    ['slept again', 150],
  ]);
});

test('a sleep ends at once when its signal aborts, and leaves no timer', async () => {
  const abort = new AbortController();
  const slept = clock.sleep(60_000, abort.signal);
  clock.after(100, () => abort.abort());
  await clock.until(slept);
  expect(passedMs()).toBe(100);
  await clock.until(clock.sleep(60_000, abort.signal));
  expect(passedMs()).toBe(100);
});

test('time passes from timer to timer until a promise is over, and not farther', async () => {
  clock.every(250, note('look'));
  expect(await clock.until(clock.sleep(600).then(() => 7))).toBe(7);
  expect(passedMs()).toBe(600);
  expect(noted).toEqual([
    ['look', 250],
    ['look', 500],
  ]);
  await expect(clock.until(clock.sleep(10).then(() => Promise.reject(new Error('no'))))).rejects.toThrow(
    'no',
  );
});

test('time waits for what is outstanding, and for what that brings', async () => {
  const read = async (): Promise<void> => {
    await clock.busy(readFile(new URL(import.meta.url)));
    note('read')();
    await clock.busy(new Promise((resolve) => setTimeout(resolve, 20)));
    note('and waited')();
  };
  clock.every(100, note('look'));
  clock.after(150, () => void read());
  await clock.pass(200);
  expect(noted).toEqual([
    ['look', 100],
    ['read', 150],
    ['and waited', 150],
    ['look', 200],
  ]);
  await expect(clock.busy(Promise.reject(new Error('lost')))).rejects.toThrow('lost');
  await clock.pass(100);
  expect(passedMs()).toBe(300);
});

test('a promise that no timer can end, and of which it was not told, is no endless wait', async () => {
  await expect(clock.until(new Promise(() => undefined))).rejects.toThrow('no timer is left');
  clock.every(100, () => undefined);
  await expect(clock.untilSo(() => false, 5)).rejects.toThrow('within 5 s');
});

test('until something is so, in steps of 10 ms', async () => {
  let isSo = false;
  clock.after(234, () => {
    isSo = true;
  });
  await clock.untilSo(() => isSo);
  expect(passedMs()).toBe(240);
});

test('a process that stood still finds each timer due once, late', async () => {
  clock.every(100, note('each'));
  clock.after(150, note('once'));
  clock.stall(1050);
  expect(noted).toEqual([]);
  await clock.pass(150);
  expect(noted).toEqual([
    ['each', 1050],
    ['once', 1050],
    ['each', 1150],
  ]);
});

test.each<[string, () => void, byMs: number, slept: boolean]>([
  ['is set ahead', () => clock.stepWall(3600_000), 3600_000, false],
  ['is set back', () => clock.stepWall(-250), -250, false],
  ['went on while the machine slept', () => clock.suspend(90_000), 90_000, true],
])('the wall clock %s; the monotonic one does not', (_, happen, byMs, slept) => {
  const wall = new WallClock(clock);
  const wallMs = clock.wallMs();
  happen();
  expect([passedMs(), clock.wallMs() - wallMs]).toEqual([0, byMs]);
  expect(wall.look()).toEqual({ byMs, slept, offsetUs: clock.wallOffsetUs() });
  expect(wall.look()).toBeNull();
});
