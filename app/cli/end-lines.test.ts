import { expect, test } from 'vitest';
import { exitCodeOfEnd } from './end-lines';

test.each([
  ['PASS', false, 0],
  ['WARN', false, 0],
  ['FAIL', false, 1],
  ['INVALID', false, 5],
  ['FAIL', true, 1],
  ['PASS', true, 4],
  ['WARN', true, 4],
  ['INVALID', true, 4],
  [null, false, 4],
] as const)('send and watch that came to %s, cut short: %s, exit with %i', (verdict, isCut, exitCode) => {
  expect(exitCodeOfEnd({ verdict, isCut })).toBe(exitCode);
});
