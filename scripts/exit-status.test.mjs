import { expect, test, vi } from 'vitest';
import { exitCodes as ofTheCommand } from '../app/protocol/errors.ts';
import { endedBy, exitCodes, exitStatusOf } from './exit-status.mjs';

test('the codes are those of the command', () => {
  expect(ofTheCommand).toMatchObject(exitCodes);
});

const status = (script) => exitStatusOf(process.execPath, ['-e', script]);

test.each([0, 1, 2, 3, 4, 5])('a program that ends by itself keeps its code: %i', async (code) => {
  expect(await status(`process.exit(${code})`)).toBe(code);
});

test.each([
  ['SIGKILL', 'environment', /^SIGKILL ended it, so there is no verdict; .+ is kept\. .+ out of memory/],
  ['SIGABRT', 'environment', /^SIGABRT ended it, so there is no verdict; .+ is kept\. Report it/],
  ['SIGTERM', 'aborted', /^SIGTERM ended it before it could close its files/],
])('an end by %s is no FAIL, and names the signal', async (signal, code, text) => {
  expect(await status(`process.kill(process.pid, '${signal}'); setInterval(() => {}, 1000)`)).toBe(
    ofTheCommand[code],
  );
  expect(endedBy(signal, 'run').text).toMatch(text);
});

test.each([
  ['send', /^SIGKILL ended it, so there is no verdict; /],
  ['watch', /^SIGKILL ended it, so there is no verdict; /],
  ['console', /^SIGKILL ended it, so a run that was under way has no verdict; /],
  ['serve', /^SIGKILL ended it, so a run that was under way has no verdict; /],
  ...['agent', 'fleet', 'nmos', 'list', 'constructor', undefined].map((word) => [
    word,
    /^SIGKILL ended it\. Another program /,
  ]),
])('what is said of verdict and records where %s is killed', (started, text) => {
  expect(endedBy('SIGKILL', started).text).toMatch(text);
});

test('the launcher says it of the command that it was given', async () => {
  const write = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  const killed = (started) =>
    exitStatusOf(process.execPath, ['-e', "process.kill(process.pid, 'SIGKILL')"], started);
  await killed('agent');
  await killed('run');
  const said = write.mock.calls.map(([text]) => text).filter((text) => text.startsWith('\nwhiteline: '));
  write.mockRestore();
  expect(said).toEqual([
    expect.not.stringMatching(/verdict|recorded/),
    expect.stringContaining('no verdict; what was recorded until then is kept'),
  ]);
});
