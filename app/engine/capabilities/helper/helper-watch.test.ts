import { expect, test } from 'vitest';
import { type HelperFault, HelperWatch, helperLimits, stopSignal } from './helper-watch';

const everyMs = 100;
const ns = (ms: number): number => ms * 1e6;

/** Looks every 100 ms from one moment to another, with `before` each; the first fault and when it was found. */
function lookOn(
  watch: HelperWatch,
  fromMs: number,
  toMs: number,
  before: (nowMs: number) => void = () => undefined,
): { fault: HelperFault; atMs: number } | null {
  for (let nowMs = fromMs + everyMs; nowMs <= toMs; nowMs += everyMs) {
    before(nowMs);
    const fault = watch.look(ns(nowMs));
    if (fault) return { fault, atMs: nowMs };
  }
  return null;
}

test('it has to be ready in time', () => {
  expect(lookOn(new HelperWatch(0, everyMs), 0, 60_000)).toEqual({ fault: 'not-ready', atMs: 10_100 });
  const watch = new HelperWatch(0, everyMs);
  expect(lookOn(watch, 0, 9_900)).toBeNull();
  watch.noteSign(ns(9_950));
  expect(lookOn(watch, 9_900, 19_900)).toBeNull();
});

test('one that says nothing for 10 s is silent, one that beats is not', () => {
  const watch = new HelperWatch(0, everyMs);
  const beat = (nowMs: number): void => {
    if (nowMs % 9_000 === 0) watch.noteSign(ns(nowMs));
  };
  watch.noteSign(0);
  expect(lookOn(watch, 0, 90_000, beat)).toBeNull();
  expect(lookOn(watch, 90_000, 200_000)).toEqual({ fault: 'silent', atMs: 100_100 });
});

test('a look that comes late judges nothing, the next one does', () => {
  const watch = new HelperWatch(0, everyMs);
  watch.noteSign(0);
  expect(watch.look(ns(100))).toBeNull();
  expect(watch.look(ns(60_000))).toBeNull();
  expect(watch.look(ns(60_100))).toBe('silent');
  watch.noteSign(ns(60_150));
  expect(watch.look(ns(60_200))).toBeNull();
});

test('one that is held up is not silent, and is ended when nothing is taken for 30 s', () => {
  const watch = new HelperWatch(0, everyMs);
  watch.noteSign(0);
  watch.noteHeldUp(ns(1_000));
  const take = (nowMs: number): void => {
    if (nowMs % 29_000 === 0) watch.noteHeldUp(ns(nowMs));
  };
  expect(lookOn(watch, 0, 290_000, take)).toBeNull();
  watch.noteReadOn(ns(290_000));
  expect(lookOn(watch, 290_000, 300_000)).toBeNull();
  watch.noteHeldUp(ns(300_000));
  expect(lookOn(watch, 300_000, 400_000)).toEqual({ fault: 'unread', atMs: 330_100 });
});

test('one that closed its input and lives is deaf', () => {
  const watch = new HelperWatch(0, everyMs);
  watch.noteSign(0);
  watch.noteDeaf(ns(1_000));
  expect(lookOn(watch, 1_000, 5_000)).toEqual({ fault: 'deaf', atMs: 2_100 });
});

test('one that does not stop gets SIGTERM, then SIGKILL', () => {
  const { stopMs, terminateMs } = helperLimits;
  expect(stopSignal(ns(stopMs), null)).toBeNull();
  expect(stopSignal(ns(stopMs + 1), null)).toBe('SIGTERM');
  // We were held up meanwhile.
  expect(stopSignal(ns(60_000), null)).toBe('SIGTERM');
  expect(stopSignal(ns(60_000), ns(terminateMs))).toBeNull();
  expect(stopSignal(ns(60_000), ns(terminateMs + 1))).toBe('SIGKILL');
});
