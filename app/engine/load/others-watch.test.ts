import { expect, test } from 'vitest';
import { type CpuLook, OthersWatch } from './others-watch';

/** Two cores; `idle`: of both so far, s, `own`: what this process took so far, s. */
function lookAt(seconds: number, idle: number, own: number, cores = 2): CpuLook {
  const notBusyByCore = Array.from({ length: cores }, () => (100 * idle) / cores);
  const machine = { idle: 100 * idle, steal: 0, cores, notBusyByCore };
  return { atNs: seconds * 1e9, machine, ownUs: own * 1e6 };
}

function othersBetween(before: CpuLook, now: CpuLook) {
  const looks = [before, now];
  return new OthersWatch(() => looks.shift() ?? now).read();
}

test.each([
  ['idle', lookAt(12, 104, 7), 0],
  ['another program fills one core', lookAt(12, 102, 7), 50],
  ['this one fills one core', lookAt(12, 102, 9), 0],
  ['this one fills one core and another one the other', lookAt(12, 100, 9), 50],
  ['others take all, this one half a core of it', lookAt(12, 100, 8), 75],
])('what other programs took in two seconds: %s', (_, now, percent) => {
  expect(othersBetween(lookAt(10, 100, 7), now)).toEqual({ percent, whyUnknown: null });
});

test('a machine that does not say how busy it was', () => {
  const now = { ...lookAt(12, 104, 7), machine: null };
  expect(othersBetween(lookAt(10, 100, 7), now)).toEqual({ percent: null, whyUnknown: expect.any(String) });
  expect(othersBetween(lookAt(10, 100, 7), lookAt(12, 104, 7, 4))).toEqual({
    percent: null,
    whyUnknown: 'cores were switched on or off meanwhile',
  });
});
