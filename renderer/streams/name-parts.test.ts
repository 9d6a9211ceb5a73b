import { expect, test } from 'vitest';
import { nameParts } from './name-parts';

test.each([
  ['Whiteline 12', 'Whit', 'eline 12'],
  ['CamA 1', '', 'CamA 1'],
  ['', '', ''],
  ['Bühne links 🎥 1', 'Bühne l', 'inks 🎥 1'],
])('“%s” may be cut in “%s” and keeps “%s”', (name, start, end) => {
  expect(nameParts(name)).toEqual([start, end]);
});
