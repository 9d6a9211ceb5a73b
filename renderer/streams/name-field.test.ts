import { expect, test } from 'vitest';
import { streamView } from '../testing/fixtures';
import { nextNumber } from './name-field';

test('the number of the next stream passes over the NDI name that a renamed one keeps', () => {
  expect(nextNumber('Whiteline', [])).toBe(1);
  expect(nextNumber('Whiteline', [streamView(1), streamView(2, { name: 'Stage left' })])).toBe(3);
  expect(nextNumber('Whiteline', [streamView(2, { name: 'Whiteline 1' })])).toBe(1);
});
