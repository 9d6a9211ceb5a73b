import { expect, test } from 'vitest';
import { mustRun, outputOf, sure } from './command.mjs';
import { SetupError } from './report.mjs';

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

test('of a long output the last lines are shown', async () => {
  const words = Array.from({ length: 30 }, (_, line) => `line ${line + 1}`).join('\n');
  const [, ...shown] = (await errorOf(failing(words))).message.split('\n');
  expect(shown.map((line) => line.trim())).toEqual(
    Array.from({ length: 20 }, (_, line) => `line ${line + 11}`),
  );
});

test('what a command prints before it fails is no answer', () => {
  const saying = (status) => ['-e', `console.log(' here '); process.exit(${status})`];
  expect(outputOf(process.execPath, saying(0))).toBe('here');
  expect(outputOf(process.execPath, saying(1))).toBeNull();
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

const failed = (code) => ({ status: null, error: Object.assign(new Error(`spawnSync x ${code}`), { code }) });

test.each(['ENOENT', 'EACCES'])('a program that cannot be run (%s) is missing', (code) => {
  expect(sure('x', failed(code))).toEqual(failed(code));
});

test.each([
  ['EMFILE', /^raise the limit of open files/],
  ['ENOMEM', /^free memory/],
  ['EAGAIN', /^try it again/],
])('one that could not be started now (%s) says nothing', (code, remedy) => {
  expect(() => sure('x', failed(code))).toThrow(SetupError);
  expect(() => sure('x', failed(code))).toThrow(
    `x could not be asked, so set-up does not know what is here and changes nothing: spawnSync x ${code}.`,
  );
  try {
    sure('x', failed(code));
  } catch (error) {
    expect(error.remedy).toMatch(remedy);
  }
});
