import { expect, test } from 'vitest';
import { wrongClaims } from '../../testing/coded-claims';
import { seeds } from '../../testing/random';

// The other half of ten thousand, of a new seed each time, is coded-made-up-anew.test.ts: they run side by side.
const [seed] = seeds;

test(`of 5000 made-up senders is claimed what was made (seed ${seed})`, () => {
  expect(wrongClaims(seed, 5000)).toEqual([]);
});
