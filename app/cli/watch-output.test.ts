import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { streamView } from '../../renderer/testing/fixtures';
import { Programme } from '../engine/streams/programme/programme';
import { ActiveSource, Stream } from '../engine/streams/stream';
import { takeOutputs } from '../testing/screen';
import { testRate } from '../testing/test-stream';
import { untilText } from './watch';
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

test('with --json a cut of a programme is a line with its data; for people it is a sentence', () => {
  const cut = { programmeFrame: 140, missing: 3 };
  new WatchOutput(true).event('cut', 'MIXER: cut from A to B', { cut });
  expect(JSON.parse(written.output)).toEqual({ type: 'cut', cut });
  expect(written.errors).toBe('     MIXER: cut from A to B\n');
  new WatchOutput(true).event('frames-lost', 'MIXER: 2 frames', { frames: 2 });
  expect(written.output.trim().split('\n')).toHaveLength(1);
});

test('with --json a line says that measuring has begun, and whom it follows by the exact name', () => {
  const stream = new Stream(
    1,
    'Program',
    new ActiveSource(1, 'x', { width: 0, height: 0, rate: testRate }),
    0,
    0,
  );
  stream.sourceName = 'MIXER (Program)';
  stream.programme = new Programme();
  new WatchOutput(true).ready([stream]);
  new WatchOutput(false).ready([stream]);
  expect(JSON.parse(written.output)).toEqual({
    type: 'ready',
    streams: [
      {
        ...{ streamId: 1, name: 'Program', sourceName: 'MIXER (Program)' },
        ...{ followedBy: null, isProgramme: true },
      },
    ],
  });
});

test.each([
  [Number.POSITIVE_INFINITY, 1, 'until Ctrl-C, in rows of 10 s'],
  [
    Number.POSITIVE_INFINITY,
    2,
    'until Ctrl-C, in rows of 10 s once all streams are received; what a line counts before that is in no row',
  ],
  [15, 1, 'for 15 s once all streams are received, in 2 rows of about 7.5 s'],
  [8, 2, 'for 8 s once all streams are received, in 1 row; what a line counts before that is in no row'],
])('how long it measures: %s s of %i streams', (seconds, streams, text) => {
  expect(untilText(seconds, 10, streams)).toBe(text);
});
