import { expect, test } from 'vitest';
import { placesText, rangesText } from './place-words';

test.each<[number[], string]>([
  [[], ''],
  [[7, 7], '7'],
  [[7, 7, 9, 12], '7, 9–12'],
  [[1, 1, 3, 3, 5, 6, 8, 8], '1, 3, 5–6, 8'],
  [[1, 1, 3, 3, 5, 6, 8, 8, 10, 20], '1, 3, 5–6, 8 …'],
])('the ranges %j', (flat, text) => {
  expect(rangesText(flat)).toBe(text);
});

test('of more than four places the rest is not named', () => {
  expect(placesText(['a', 'b', 'c', 'd'])).toBe('a, b, c, d');
  expect(placesText(['a', 'b', 'c', 'd', 'e'])).toBe('a, b, c, d …');
});
