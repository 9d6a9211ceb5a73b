import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { streamView } from '../../renderer/testing/fixtures';
import { takeOutputs } from '../testing/screen';
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

const second = { phase: 'measuring', elapsedSeconds: 80, remainingSeconds: null } as const;

test('a terminal shows what goes on in one line, and rows and states above it', () => {
  vi.stubEnv('TERM', 'xterm');
  const { screen, restore } = takeOutputs({ isTTY: true, columns: 80 });
  try {
    const output = new WatchOutput(false);
    output.views([], { phase: 'connecting', elapsedSeconds: 0, remainingSeconds: null });
    expect(screen.shown).toEqual(['Connecting']);
    output.views([streamView(1, { lostTotal: 2 })], second);
    output.event('frames-lost', 'Whiteline 1: 2 frames');
    expect(screen.shown).toEqual([
      '     Whiteline 1: 2 frames',
      'Measuring · for 1 min 20 s · lost 2 · 60.0 fps · 1 stream',
    ]);
    output.views([], { ...second, remainingSeconds: 12.3 });
    expect(screen.shown.at(-1)).toBe('Measuring · 13 s left');
    output.end(failed);
    expect(screen.shown.slice(1)).toEqual(['FAIL: with 1 stream: 3 frames lost', '']);
  } finally {
    restore();
  }
});

test('with --json, and without a terminal, nothing of it is written', () => {
  new WatchOutput(false).views([streamView(1)], second);
  expect(written).toEqual({ output: '', errors: '' });
  vi.stubEnv('TERM', 'xterm');
  const { written: onTerminal, restore } = takeOutputs({ isTTY: true, columns: 80 });
  new WatchOutput(true).views([streamView(1)], second);
  restore();
  expect(onTerminal.stderr).toBe('');
  expect(JSON.parse(onTerminal.stdout)).toMatchObject({ type: 'view', id: 1 });
});
