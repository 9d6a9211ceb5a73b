import { expect, test } from 'vitest';
import { labelOf } from './display-label';

test.each([
  [{ label: 'Wall' }, 'Wall'],
  [{ label: '' }, ''],
  [{}, ''],
])('a display %j is called %j', (display, label) => {
  expect(labelOf(display)).toBe(label);
});
