import { expect, test } from 'vitest';
import { wrongClaims } from '../../testing/coded-claims';
import { cases, seeds } from '../../testing/random';

const senders = cases(1000, 10_000);

test.each(seeds)(`of ${senders} made-up senders is claimed what was made (seed %i)`, (seed) => {
  expect(wrongClaims(seed, senders)).toEqual([]);
});
