import { join } from 'node:path';
import { expect, test } from 'vitest';
import { exitCodes } from '../protocol/errors';
import { whiteline } from '../testing/command-here';
import { temporaryFolder } from '../testing/temporary-folder';

const folder = temporaryFolder();

test.each([
  [['--allow-streams', '0'], 'Expected a whole number from 1 to 1000 for --allow-streams but received 0'],
  [['--allow-streams', '1001'], 'Expected a whole number from 0 to 1000 for --allow-streams'],
  [['--allow-format', 'large'], 'Expected WIDTHxHEIGHT@RATE for --allow-format but received large'],
  [['--allow-time', '0s'], 'Expected a duration above 0 for --allow-time but received 0s'],
  [[], 'absent.txt is not there. Give the path of a file that whiteline fleet invite has written'],
  [['--allow-logs', 'much'], 'Expected a size for --allow-logs but received much'],
])('%j: refused before anything starts', async (flags, words) => {
  const { exitCode, output, errors } = await whiteline('agent', join(folder, 'absent.txt'), ...flags);
  expect([exitCode, output]).toEqual([exitCodes.badInput, '']);
  expect(errors).toContain(words);
});
