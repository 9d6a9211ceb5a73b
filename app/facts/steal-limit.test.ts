import { expect, test } from 'vitest';
import { stolenText } from './steal-limit';

test.each([
  [38, 5, '38.0'],
  [5.1, 5, '5.1'],
  [5.04, 5, '5.04'],
  [5.0004, 5, '5.0004'],
  [2.54, 2.5, '2.54'],
])('%f %% beyond a limit of %f %% reads as beyond it', (percent, limitPercent, shown) => {
  expect(stolenText(percent, limitPercent)).toBe(`the hypervisor took ${shown} % of the CPU away`);
});
