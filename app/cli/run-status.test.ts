import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { streamView } from '../../renderer/testing/fixtures';
import { LatestProgress } from '../engine/runs/latest-progress';
import type { Progress, StreamView } from '../protocol/console';
import { takeOutputs } from '../testing/screen';
import { SimulatedClock } from '../testing/simulated-clock';
import { FrameProgress } from './progress';
import { figureParts, type RunningParts, RunStatus } from './run-status';
import { print, printError } from './terminal';

let clock: SimulatedClock;
let restore: () => void = () => undefined;

beforeEach(() => {
  clock = new SimulatedClock();
});
afterEach(() => restore());

function outputs(isTTY: boolean, columns = 80) {
  vi.stubEnv('TERM', 'xterm');
  const taken = takeOutputs({ isTTY, columns });
  restore = taken.restore;
  return taken;
}

const viewWith = (change: Partial<StreamView> = {}): StreamView =>
  streamView(1, { lostTotal: 0, framesSenderMissed: 0, framesInOutages: null, deliveredFps: 60, ...change });

const measuring: Progress = {
  ...{ phase: 'measuring', step: 2, steps: 4, phaseSeconds: 10, phaseElapsedSeconds: 0 },
  remainingSeconds: 30,
};

/** A run that reports its progress; `streams` is what its streams look like now. */
function running(streams: () => StreamView[] = () => [], around?: RunningParts['around']) {
  const reported = new LatestProgress(clock);
  const status = new RunStatus({ progress: () => reported.now, streams, around }, clock);
  const report = (progress: Progress): void => {
    reported.report(progress);
    status.show();
  };
  return { status, report };
}

test('one line says step, phase, time left and figures, and moves on by itself', async () => {
  const { screen } = outputs(true);
  const { status, report } = running(() => [viewWith({ lostTotal: 3, deliveredFps: 59.94 })]);
  expect(screen.shown).toEqual(['Starting · lost 3 · 59.9 fps · 1 stream']);
  report(measuring);
  await clock.pass(4000);
  expect(screen.shown).toEqual(['2 of 4 · Measuring · 26 s left · lost 3 · 59.9 fps · 1 stream']);
  status.end();
  expect(screen.shown).toEqual(['']);
  await clock.pass(4000);
  expect(screen.shown).toEqual(['']);
});

test('why it takes longer is said, and a phase that takes longer than expected leaves the time of the others', async () => {
  const { screen } = outputs(true);
  const { status, report } = running();
  report({ ...measuring, laterSeconds: 28, note: 'row 0 is repeated' });
  await clock.pass(4000);
  expect(screen.shown).toEqual(['2 of 4 · Measuring: row 0 is repeated · 28 s left']);
  status.end();
});

test('what is printed stands above the line, on either output, and nothing of the line is left in it', () => {
  const { screen } = outputs(true);
  const { status, report } = running();
  report(measuring);
  print('   1  a row', 'x');
  printError('a problem');
  report({ ...measuring, phase: 'draining' });
  expect(screen.shown).toEqual([
    ...['   1  a row', 'x', 'a problem'],
    '2 of 4 · Waiting for the last frames · 30 s left',
  ]);
  status.end();
  print('PASS');
  expect(screen.shown).toEqual(['   1  a row', 'x', 'a problem', 'PASS', '']);
});

test('a narrow terminal cuts the line and leaves room for the ^C behind it', () => {
  const { screen } = outputs(true, 30);
  const { status, report } = running(
    () => [viewWith()],
    () => ({ before: 'Run 1 of 2', behind: '' }),
  );
  report(measuring);
  expect(screen.shown).toEqual(['Run 1 of 2 · 2 of 4 · Meas…']);
  screen.write('^C');
  print('Stopping');
  report({ ...measuring, phase: 'connecting' });
  expect(screen.shown).toEqual(['Stopping', 'Run 1 of 2 · 2 of 4 · Conn…']);
  status.end();
});

test('words of an experiment do nothing to the terminal', () => {
  const { written } = outputs(true);
  const { status, report } = running();
  report({ ...measuring, phase: 'making \u001b[2J\u0007\n' });
  expect(written.stderr).toContain('Making \\u001b[2J\\u0007\\u000a');
  status.end();
});

test('the line is cleared when the process ends before the run', () => {
  const { screen } = outputs(true);
  const before = process.listenerCount('exit');
  const { status, report } = running();
  report(measuring);
  expect(process.listenerCount('exit')).toBe(before + 1);
  process.listeners('exit').at(-1)?.call(process, 130);
  expect(screen.shown).toEqual(['']);
  status.end();
  expect(process.listenerCount('exit')).toBe(before);
});

test('without a terminal a phase is one plain line, and a short one none', async () => {
  const { written } = outputs(false);
  const { status, report } = running();
  report({ ...measuring, phase: 'connecting' });
  await clock.pass(2000);
  report(measuring);
  await clock.pass(20_000);
  report({ ...measuring, step: 3 });
  await clock.pass(20_000);
  status.end();
  expect(written).toEqual({
    stdout: '',
    stderr: '2 of 4 · Measuring · 27 s left\n3 of 4 · Measuring · 27 s left\n',
  });
});

test('frames of a movie take the same line, and a tenth of them a line without a terminal', () => {
  const { screen, written } = outputs(true);
  const onTerminal = new FrameProgress('Decoded');
  onTerminal.show({ framesDone: 30, frames: 60, note: ', 2 s left' });
  print('flares');
  expect(screen.shown).toEqual(['flares', 'Decoded 30 of 60 frames, 50 %, 2 s left']);
  onTerminal.end();
  expect(written.stdout).toBe('flares\n');
  restore();
  const plain = outputs(false).written;
  const inFile = new FrameProgress('Decoded');
  for (const framesDone of [0, 5, 6, 7, 59]) inFile.show({ framesDone, frames: 60 });
  inFile.end();
  expect(plain.stderr).toBe('Decoded 6 of 60 frames, 10 %\nDecoded 59 of 60 frames, 98 %\n');
});

test('figures: nothing before streams are counted, sums and the range of rates after', () => {
  expect(figureParts([])).toEqual([]);
  expect(figureParts([viewWith({ deliveredFps: null })])).toEqual([]);
  const lossy = viewWith({ lostTotal: 2, framesSenderMissed: 5, framesInOutages: 60, deliveredFps: 24.9 });
  expect(figureParts([viewWith({ deliveredFps: 60 }), lossy]).filter(Boolean)).toEqual([
    ...['lost ≈ 62', 'missed 5', '24.9–60.0 fps', '2 streams'],
  ]);
  const foreign = { method: 'timestamps', framesMissing: 4, lostTotal: 4 } as const;
  expect(figureParts([viewWith(foreign)])[0]).toBe('lost 4');
  const unknown = {
    ...foreign,
    framesMissing: null,
    lostTotal: null,
    lossesNotMeasured: 'at no steady rate',
  };
  expect(figureParts([viewWith(unknown)])[0]).toBe('lost: not measured');
  expect(figureParts([viewWith({ ...unknown, framesInOutages: 60 })])[0]).toBe(
    'lost: not measured, ≈ 60 in outages',
  );
  // Its sender is away, and no frame of a new one has been counted yet.
  const away = viewWith({ lostTotal: null, framesInOutages: 362, deliveredFps: null });
  expect(figureParts([away]).filter(Boolean)).toEqual(['lost ≈ 362', '0.0 fps', '1 stream']);
});
