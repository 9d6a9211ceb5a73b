import { expect, test } from 'vitest';
import { wrongClaims } from '../../testing/coded-claims';
import { cases, groupsOf } from '../../testing/random';

const group = 500;

test.each(groupsOf(cases(1000, 10_000), group))(
  `of ${group} made-up senders is claimed what was made (seeds from %i)`,
  (seed) => {
    expect(wrongClaims(seed, group)).toEqual([]);
  },
);
