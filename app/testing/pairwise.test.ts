import { expect, test } from 'vitest';
import { pairwise } from './pairwise';

const factors = {
  size: ['small', 'middle', 'large'],
  colour: ['red', 'green', 'blue', 'white'],
  shape: ['round', 'square'],
  weight: ['light', 'heavy'],
} as const;

test('each possible pair comes, no impossible one, in few combinations', () => {
  const found = pairwise(factors, ({ size, colour }) => !(size === 'large' && colour === 'red'));
  expect(found.length).toBeLessThanOrEqual(14);
  const pairs = new Set(found.flatMap((one) => pairsOf([one.size, one.colour, one.shape, one.weight])));
  expect(pairs.has('large red')).toBe(false);
  expect(pairs.size).toBe(3 * 4 - 1 + 2 * 3 * 2 + 2 * 4 * 2 + 2 * 2);
});

test('a pair that no third factor allows is left out', () => {
  const isPossible = ({ size, shape, weight }: { size?: string; shape?: string; weight?: string }) =>
    !(size === 'small' && (shape === 'round' ? weight === 'light' : weight === 'heavy')) ||
    weight === undefined;
  const found = pairwise(factors, isPossible);
  expect(found.filter((one) => !isPossible(one))).toEqual([]);
  const small = found.filter(({ size }) => size === 'small');
  expect(new Set(small.map(({ shape, weight }) => `${shape} ${weight}`))).toEqual(
    new Set(['round heavy', 'square light']),
  );
});

function pairsOf<T>(values: readonly T[]): string[] {
  return values.flatMap((one, index) => values.slice(index + 1).map((other) => `${one} ${other}`));
}
