import { expect, test } from 'vitest';
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
  ['SIGKILL', 'environment', /^SIGKILL ended it, so there is no verdict; .+ out of memory/],
  ['SIGABRT', 'environment', /^SIGABRT ended it, so there is no verdict; .+ Report it/],
  ['SIGTERM', 'aborted', /^SIGTERM ended it before it could close its files/],
])('an end by %s is no FAIL, and names the signal', async (signal, code, text) => {
  expect(await status(`process.kill(process.pid, '${signal}'); setInterval(() => {}, 1000)`)).toBe(
    ofTheCommand[code],
  );
  expect(endedBy(signal).text).toMatch(text);
});
