import { expect, test } from 'vitest';
import { exitCodes } from '../../protocol/errors';
import { CommandHere } from '../../testing/command-here';
import { temporaryFolder } from '../../testing/temporary-folder';

const folder = temporaryFolder();
const noFleet = { XDG_CONFIG_HOME: folder };

test.each([
  [['run', 'matrix'], /at least 2 machines for --on but received none/],
  [['run', 'matrix', '--on', 'render-1'], /at least 2 machines for --on but received render-1/],
  [
    ['run', 'matrix', '--on', 'a,b', '--no-link', '--least-mbps', '9'],
    /a matrix with its links for --least-mbps/,
  ],
  [['fleet', 'matrix', '--on', 'render-1'], /at least 2 machines for --on but received render-1/],
  [['fleet', 'matrix', '--on', 'a,b', '--hold', '0'], /--hold/],
])('%j is refused with its flag', async (words, sentence) => {
  const { errors, exitCode } = await new CommandHere(words, noFleet).ended;
  expect(errors).toMatch(sentence);
  expect(exitCode).toBe(exitCodes.badInput);
});

test.each(['--help', '-h'])('fleet matrix %s names its own command', async (flag) => {
  const { output, exitCode } = await new CommandHere(['fleet', 'matrix', flag], noFleet).ended;
  expect(output).toMatch(/^Usage: whiteline fleet matrix \[options\]$/m);
  expect(exitCode).toBe(exitCodes.pass);
  const { output: ofRun } = await new CommandHere(['run', 'matrix', flag], noFleet).ended;
  expect(ofRun).toMatch(/^Usage: whiteline run matrix \[options\]$/m);
});

test('fleet matrix without a fleet says how to set one up', async () => {
  const { errors, exitCode } = await new CommandHere(['fleet', 'matrix'], noFleet).ended;
  expect(errors).toContain('No fleet is set up on this machine. Start it: whiteline fleet start');
  expect(exitCode).toBe(exitCodes.badInput);
});
