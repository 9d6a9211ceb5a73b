import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { WatchOutput } from './watch-output';

const written = { output: '', errors: '' };

beforeEach(() => {
  Object.assign(written, { output: '', errors: '' });
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    written.output += String(text);
    return true;
  });
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
    written.errors += String(text);
    return true;
  });
});
afterEach(() => {
  vi.restoreAllMocks();
});

const failed = { verdict: 'FAIL', reason: 'with 1 stream: 3 frames lost' } as const;

test('the last lines of a watch are its verdict, and its folder where it was recorded', () => {
  new WatchOutput(false).end(failed, 'my run');
  expect(written).toEqual({ output: 'FAIL: with 1 stream: 3 frames lost\nRun: my run\n', errors: '' });
});

test('one that was not recorded names no folder, and one without a row has no verdict', () => {
  new WatchOutput(false).end({ verdict: null, reason: 'stopped before the first row was measured' });
  expect(written.output).toBe('no verdict: stopped before the first row was measured\n');
});

test('with --json the verdict is no object of standard output', () => {
  new WatchOutput(true).end(failed);
  expect(written).toEqual({ output: '', errors: 'FAIL: with 1 stream: 3 frames lost\n' });
});
