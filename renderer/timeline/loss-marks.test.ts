import { expect, test } from 'vitest';
import { besideLoss, framesOf, lossAtX, markOf } from './loss-marks';

const losses = {
  lossFromMs: Float64Array.from([1000, 5000, 5200]),
  lossToMs: Float64Array.from([1020, 5100, 9000]),
  lossFirstFrame: Float64Array.from([60, 300, 312]),
  lossFrames: Uint32Array.from([1, 6, 200]),
  lossMark: Uint8Array.from([0, 1, 2]),
};
/** One pixel for 10 ms. */
const range = { fromMs: 0, toMs: 10_000 };
const plot = { left: 0, top: 0, width: 1000, height: 100 };

test('a click hits the loss under it, or the nearest within reach', () => {
  expect(lossAtX(losses, 101, range, plot)).toBe(0);
  expect(lossAtX(losses, 94, range, plot)).toBe(0);
  expect(lossAtX(losses, 91, range, plot)).toBeNull();
  expect(lossAtX(losses, 512, range, plot)).toBe(1);
  expect(lossAtX(losses, 517, range, plot)).toBe(2);
  expect(lossAtX(losses, 700, range, plot)).toBe(2);
  // Half a pixel wide when all of a long run is shown: still hit.
  expect(lossAtX(losses, 3, { fromMs: 0, toMs: 1e6 }, plot)).toBe(0);
});

test('from loss to loss, beginning with the newest, and no farther than the ends', () => {
  expect(besideLoss(losses, null, -1)).toBe(2);
  expect(besideLoss(losses, 312, -1)).toBe(1);
  expect(besideLoss(losses, 312, 1)).toBe(2);
  expect(besideLoss(losses, 60, -1)).toBe(0);
  expect(besideLoss(losses, 7, 1)).toBe(2);
  expect(besideLoss({ ...losses, lossFirstFrame: new Float64Array() }, null, 1)).toBeNull();
});

test('what became of its frames, and how many there are', () => {
  expect([0, 1, 2].map((index) => markOf(losses, index))).toEqual(['absent', 'not-sent', 'spoilt']);
  expect(framesOf(losses)).toEqual({ lostFrames: 201, notSentFrames: 6 });
});
