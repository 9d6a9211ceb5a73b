import { expect, test } from 'vitest';
import { leftText } from './progress-words';

test('what is left of a plan says that some of its runs are not in it', () => {
  expect(leftText(17)).toBe('17 s left');
  expect(leftText(17, true)).toBe('17 s left, and runs whose time is not known');
});
