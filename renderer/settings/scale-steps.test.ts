import { expect, test } from 'vitest';
import { scaleAfter } from './scale-steps';

test.each([
  ['+', 100, 110],
  ['=', 110, 125],
  ['+', 200, 200],
  ['-', 100, 90],
  ['-', 75, 75],
  ['0', 175, 100],
  ['a', 125, null],
] as const)('Ctrl %s at %i %% of the usual size leads to %s', (key, nowPercent, nextPercent) => {
  expect(scaleAfter(key, nowPercent)).toBe(nextPercent);
});
