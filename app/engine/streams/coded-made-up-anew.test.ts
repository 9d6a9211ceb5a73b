import { expect, test } from 'vitest';
import { wrongClaims } from '../../testing/coded-claims';
import { seeds } from '../../testing/random';

const [, seed] = seeds;

test(`of 5000 made-up senders is claimed what was made (seed ${seed})`, () => {
  expect(wrongClaims(seed, 5000)).toEqual([]);
});
