import { expect, test } from 'vitest';
import { wordsOf } from '../../facts/reason-words';
import { exampleRow } from '../../testing/example-run';
import { cutShort } from './cut-short';

test.each([
  [4.716, 6, 'no frame lost; stopped after 4.7 of 6 s'],
  [0.4, 6, 'no frame lost; stopped after 0.4 of 6 s'],
  [5.99, 6, 'no frame lost'],
  [6, 6, 'no frame lost'],
])('a row of %f of %f s', (measured, hold, words) => {
  const row = { ...exampleRow(1), verdict: 'PASS' as const, reason: [{ code: 'no-frame-lost', data: {} }] };
  const cut = cutShort(row, measured, hold);
  expect(wordsOf(cut.reason)).toBe(words);
  expect(cut.verdict).toBe('PASS');
});
