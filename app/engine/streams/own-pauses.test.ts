import { expect, test } from 'vitest';
import { OwnPauses } from './own-pauses';

test.each<[string, number[], boolean[]]>([
  ['looks in time', [0, 0.25, 0.5, 0.8], [false, false, false, false]],
  ['a process that was stopped for 2 s', [0, 0.25, 2.25, 2.5], [false, false, true, false]],
  ['one that is late each time', [0, 1, 2, 3], [false, true, false, true]],
])('%s', (_, seconds, expected) => {
  const pauses = new OwnPauses();
  expect(seconds.map((one) => pauses.isJustOver(one * 1e9))).toEqual(expected);
});
