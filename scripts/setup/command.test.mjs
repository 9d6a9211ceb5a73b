import { expect, test } from 'vitest';
import { mustRun } from './command.mjs';

const failing = (words) => [
  process.execPath,
  ['-e', `console.error(${JSON.stringify(words)}); process.exit(3)`],
];
const errorOf = (command, given = {}) =>
  mustRun(...command, { failure: 'it failed', ...given }).catch((error) => error);

test('a command that fails shows its last lines, and its remedy is not to run it again (P6)', async () => {
  const error = await errorOf(failing('the tool says why'));
  expect(error.message).toBe('it failed (exit status 3).\n    the tool says why');
  expect(error.remedy).toBe('correct what the lines above name: they are its own words');
});

test('the remedy is what its caller knows, unless the machine is in the way', async () => {
  const remedy = 'what helps';
  expect((await errorOf(failing('an odd answer'), { remedy })).remedy).toBe(remedy);
  expect((await errorOf(failing('npm error code EAI_AGAIN'), { remedy })).remedy).toMatch(
    /^check the network/,
  );
});

test('a program that is missing is named', async () => {
  const error = await errorOf(['whiteline-no-such-program', []]);
  expect(error.remedy).toBe('install whiteline-no-such-program, or put it into PATH');
});

test('a signal that ended it is named', async () => {
  const kill = [process.execPath, ['-e', "process.kill(process.pid, 'SIGKILL')"]];
  expect((await errorOf(kill)).message).toMatch(/^it failed \(ended by SIGKILL\)/);
});
