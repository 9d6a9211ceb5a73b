import fs from 'node:fs';
import { afterEach, expect, test, vi } from 'vitest';
import { exitCodes } from '../protocol/errors';
import { endOnFault } from './fault';

afterEach(() => {
  vi.restoreAllMocks();
});

function endOf(error: unknown, command = 'run'): { code: unknown; lines: string[] } {
  const exit = vi.spyOn(process, 'exit').mockReturnValue(undefined as never);
  const write = vi.spyOn(fs, 'writeSync').mockReturnValue(0);
  endOnFault(error, command);
  return { code: exit.mock.calls[0]?.[0], lines: String(write.mock.calls[0]?.[1]).trim().split('\n') };
}

test('an error that nothing caught is no FAIL: one sentence, then its lines', () => {
  const { code, lines } = endOf(new TypeError('x is not a function'));
  expect(code).toBe(exitCodes.environment);
  expect(lines[0]).toMatch(/^whiteline: internal error, .+ no verdict; .+: x is not a function\. Report it/);
  expect(lines[1]).toMatch(/^ +at /);
});

test.each(['EMFILE: too many open files, open x', 'Worker initialization failure: EMFILE'])(
  'without a file descriptor it says what to raise: %s',
  (message) => {
    expect(endOf(new Error(message)).lines).toEqual([
      `whiteline: The limit of open files is too low (${message}), so there is no verdict; what was recorded until then is kept. Raise the limit of open files (ulimit -n).`,
    ]);
  },
);

test('what was thrown may be no error, and does nothing to the terminal', () => {
  expect(endOf('\u001b[2J').lines).toEqual([expect.stringContaining('kept: \\u001b[2J. Report')]);
});

test('it ends where nobody reads it any more', () => {
  const exit = vi.spyOn(process, 'exit').mockReturnValue(undefined as never);
  vi.spyOn(fs, 'writeSync').mockImplementation(() => {
    throw new Error('EPIPE');
  });
  endOnFault(new Error('x'), 'run');
  expect(exit).toHaveBeenCalledWith(exitCodes.environment);
});

test.each(['agent', 'fleet', 'nmos', '', 'constructor'])(
  'no verdict and no records are said of "%s"',
  (command) => {
    expect(endOf(new Error('x'), command).lines[0]).toMatch(/^whiteline: internal error: x\. Report it/);
    expect(endOf(new Error('EMFILE: too many open files'), command).lines[0]).not.toMatch(/verdict|recorded/);
  },
);
