import { expect, test } from 'vitest';
import { groupsOf } from './ndi-groups';

test('groups are names', () => {
  expect(groupsOf(['public', 'Bühne 2'])).toEqual(['public', 'Bühne 2']);
});

test.each([
  [[], '1 to 16 names of groups'],
  [Array.from({ length: 17 }, (_, number) => `${number}`), '1 to 16 names of groups'],
  [[''], 'names of 1 to 60 characters'],
  [['x'.repeat(61)], 'names of 1 to 60 characters'],
  [['a,b'], 'names of visible characters without commas'],
  [[' a'], 'names of visible characters without commas'],
  [['a\n'], 'names of visible characters without commas'],
])('%j are none', (groups, expected) => {
  expect(() => groupsOf(groups)).toThrow(`Expected ${expected} for groups`);
});
