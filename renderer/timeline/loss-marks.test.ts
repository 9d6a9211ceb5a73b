import { expect, test } from 'vitest';
import { besideLoss, lossAtX, markOf } from './loss-marks';

const losses = {
  lossFromMs: Float64Array.from([1000, 5000, 5200]),
  lossToMs: Float64Array.from([1020, 5100, 9000]),
  // The sender was started again before the last one.
  lossKeys: ['0/60', '0/300', '1/60'],
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
  expect(besideLoss(losses, '1/60', -1)).toBe(1);
  expect(besideLoss(losses, '1/60', 1)).toBe(2);
  expect(besideLoss(losses, '0/60', -1)).toBe(0);
  expect(besideLoss(losses, '0/7', 1)).toBe(2);
  expect(besideLoss({ ...losses, lossKeys: [] }, null, 1)).toBeNull();
});

test('what became of its frames', () => {
  expect([0, 1, 2].map((index) => markOf(losses, index))).toEqual(['absent', 'not-sent', 'spoilt']);
});
