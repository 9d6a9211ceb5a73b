import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { HostRole } from '../../engine/host-application';
import type { HostCommand, HostReplyValue } from '../../protocol/host';
import type { KeepPictures, QualityCheckOptions } from '../../protocol/records';
import { checked, fileOf, movieFacts } from '../../testing/movie-facts';
import type { Row } from '../../testing/named-rows';
import { SimulatedBench, sumsOf } from '../../testing/simulated-bench';
import { temporaryFolder } from '../../testing/temporary-folder';

/** Whole runs over made-up records and made-up comparisons, from the commands to the hosts to the run's folder and its report. */

// `df` takes real time, in which simulated time would pass.
vi.mock('../../engine/content/free-space', () => ({ freeBytes: async () => 1e12 }));

const folder = temporaryFolder();
/** A clip of the battery that is there already. */
const content = join(folder, 'content');
mkdirSync(content);
fileOf(join(content, 'live-action-like-640x360-30-1s-hap_q-8.mov'));

let bench: SimulatedBench;
/** What each end of the stream keeps. */
let kept: Map<HostRole, KeepPictures>;
/** Frames of which the receiving end has no picture. */
let unkept: Set<number>;
/** How much the sample of a frame differs; the first of those that are compared. */
let errorOf: (index: number) => number;
let ends: number;

beforeEach(async () => {
  bench = await SimulatedBench.start(folder);
  [kept, unkept, errorOf, ends] = [new Map(), new Set(), (index) => 10 + index, 0];
  bench.hosts.other = answer;
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await bench.close();
});

function answer(command: HostCommand, role: HostRole): HostReplyValue {
  switch (command.name) {
    case 'checkMovie':
      return checked({
        facts: movieFacts({ width: 640, height: 360, rateNumerator: 30, rateDenominator: 1, frames: 30 }),
      });
    case 'keepPictures':
      if (command.options) kept.set(role, command.options);
      else ends += 1;
      return null;
    case 'keptPictures': {
      const { frames = [] } = kept.get(role) ?? {};
      return {
        written: frames.filter((frame) => role === 'sending' || !unkept.has(frame)),
        skipped: [],
        waiting: 0,
      };
    }
    case 'compareQuality':
      return compared(command.options);
    default:
      return null;
  }
}

function compared(options: QualityCheckOptions): HostReplyValue {
  const isCancelled = bench.hosts.host('sending').named('cancel').length > 0;
  const { frames } = 'pairs' in options ? options.pairs : options.clip;
  if (options.sideBySidePath && options.differencePath) {
    fileOf(options.sideBySidePath);
    fileOf(options.differencePath);
  }
  return {
    ...{ state: isCancelled ? 'running' : 'done', problem: null, pictureProblem: '' },
    compared: frames.map((frame, index) => ({
      ...{ frame, meanSquaredErrors: [errorOf(index), 0, 1], structuralSimilarities: [1 - index / 10, 1, 1] },
    })),
  };
}

const small = { sizes: ['640x360'], rate: '30', holdSeconds: 2, warmUpSeconds: 0.5, frames: 6, crops: [] };
const begin = (more: object) => bench.begin('codec-quality', { ...small, contentFolder: content, ...more });
const shapeOf = (rows: Row[]) => rows.map(({ streams, label, verdict }) => [streams, label, verdict]);
const quality = ({ values }: Row, ...ids: string[]) => ids.map((id) => values[`quality.${id}`]);

test('a clip of the battery and generated pictures: what each row lost is in its figures, files and pictures', async () => {
  await begin({ clips: ['live-action-like'], clipLengthSeconds: 1, sources: ['white-line', 'noise'] });
  await bench.ended();
  const { rows, verdict, reason } = bench.readRun();
  expect(shapeOf(rows)).toEqual([
    [0, 'baseline: live-action-like 640x360@30', 'PASS'],
    [1, 'live-action-like 640x360@30', 'PASS'],
    [1, 'white-line 640x360@30', 'PASS'],
    [1, 'noise 640x360@30', 'PASS'],
  ]);
  for (const row of rows.slice(1)) {
    expect(sumsOf(row)).toEqual([60, 0, 60, 60, 0]);
    expect(
      quality(row, 'pairs', 'pairsLeftOut', 'psnrCbDb', 'psnrYDb', 'worstPsnrYDb', 'worstSsimY'),
    ).toEqual([
      ...[6, 0, 'exact', 10 * Math.log10((255 * 255) / 12.5), 10 * Math.log10((255 * 255) / 15), 0.5],
    ]);
    const first = row.perStream[0]?.firstFrame ?? 0;
    // The hosts have 0.4 s to begin to keep pictures; the others are spread over the rest.
    const frames = [0, 1, 2, 3, 4, 5].map((index) => first + 12 + index * 8 + 4);
    expect(quality(row, 'worstFrame')).toEqual([frames[5]]);
    const lines = readFileSync(join(bench.runFolder, `quality-${row.row}.csv`), 'utf8')
      .trim()
      .split('\n');
    expect(lines.slice(1).map((line) => Number(line.split(',')[0]))).toEqual(frames);
    for (const what of ['sent-received', 'difference'])
      expect(existsSync(join(bench.runFolder, 'pictures', `quality-${row.row}-${what}.png`))).toBe(true);
  }
  expect(bench.events('picture')).toHaveLength(6);
  const [, clip, , noise] = rows;
  expect(quality(clip as Row, 'hapPsnrYDb', 'hapBitrateMbps', 'bitsPerPixel')).toEqual([
    ...[10 * Math.log10((255 * 255) / 12.5), 1800, 100e6 / (640 * 360 * 30)],
  ]);
  expect(noise?.notMeasured['quality.hapPsnrYDb']).toMatch(/only clips of the content battery/);
  expect(existsSync(join(bench.runFolder, 'pairs'))).toBe(false);
  expect([verdict, reason]).toEqual([
    'PASS',
    'live-action-like 640x360@30 lost most: luma of its worst frame has 36.4 dB, SSIM 0.500',
  ]);
  await bench.expectWhole();
});

test('each row says what it is doing, and how long the run still takes', async () => {
  const seen: [phase: string, step: number, remainingSeconds: number][] = [];
  bench.engine.listen({
    onChange: () => {
      const { progress } = bench.engine.state();
      if (progress && progress.phase !== seen.at(-1)?.[0])
        seen.push([progress.phase, progress.step, progress.remainingSeconds]);
    },
    onView: () => undefined,
    onSample: () => undefined,
  });
  await begin({ clips: ['live-action-like'], clipLengthSeconds: 1, sources: ['noise'] });
  await bench.ended();
  // 10 s at most to connect; then 0.5 s, 2 s and 4 s for a case.
  expect(seen).toEqual([
    ['making live-action-like', 0, 13],
    ['baseline', 0, 15],
    ['connecting', 1, 23],
    ['warm-up', 1, 13],
    ['measuring', 1, 12.5],
    ['comparing', 1, 10.5],
    ['comparing the clip with what it was made from', 1, 10.5],
    ['connecting', 2, 16.5],
    ['warm-up', 2, 6.5],
    ['measuring', 2, 6],
    ['comparing', 2, 4],
  ]);
});

test('a frame that was lost is compared with nothing, and costs no other figure', async () => {
  await begin({ sources: ['noise'] });
  await bench.inRow(1);
  const lost = bench.hosts.stream(1).lose(12);
  for (const slot of lost) unkept.add(slot);
  await bench.ended();
  const { rows, verdict, reason } = bench.readRun();
  expect(rows[1]?.perStream[0]?.droppedFrames).toEqual(lost);
  expect(quality(rows[1] as Row, 'pairs', 'pairsLeftOut')).toEqual([5, 1]);
  const gone = (rows[1]?.perStream[0]?.firstFrame ?? 0) + 16;
  expect(bench.events('problem').map(({ text }) => text)).toEqual([
    `noise 640x360@30: 1 frame was not compared, the first is ${gone}: it was not received, or not whole`,
  ]);
  expect([verdict, reason]).toEqual([
    'FAIL',
    expect.stringMatching(
      /^noise 640x360@30 lost most: luma of its worst frame has 36\.7 dB, SSIM 0\.600; noise 640x360@30: 12 of 60 frames were dropped in transport /,
    ),
  ]);
  await bench.expectWhole();
});

test('a worst frame below the limit that was set is a FAIL', async () => {
  errorOf = (index) => (index === 2 ? 400 : 1);
  await begin({ sources: ['noise'], leastPsnrDb: 30 });
  await bench.ended();
  const { verdict, reason } = bench.readRun();
  expect([verdict, reason]).toEqual([
    'FAIL',
    'noise 640x360@30 lost most: luma of its worst frame has 22.1 dB, SSIM 0.500; that is below the limit of 30 dB',
  ]);
  await bench.expectWhole();
});

test('a host that is gone makes its row INVALID, and the rows after it are measured', async () => {
  await begin({ sources: ['noise', 'white-line'], holdSeconds: 4 });
  await bench.inRow(1);
  kept.delete('receiving');
  bench.hosts.die('receiving');
  await bench.ended();
  const { rows, state, verdict, reason } = bench.readRun();
  expect(shapeOf(rows)).toEqual([
    [0, 'baseline: noise 640x360@30', 'PASS'],
    [1, 'noise 640x360@30', 'INVALID'],
    [1, 'white-line 640x360@30', 'PASS'],
  ]);
  expect(bench.codes()[1]?.slice(-2)).toEqual(['nothing-compared', 'process-died']);
  expect(rows[1]?.reason).toMatch(
    /, not judged: no frame could be compared: it was not received, or not whole; our receiving process was killed \(SIGKILL\)$/,
  );
  expect(quality(rows[2] as Row, 'pairs')).toEqual([6]);
  expect(existsSync(join(bench.runFolder, 'pairs'))).toBe(false);
  expect([state, verdict, reason]).toEqual([
    'finished',
    'INVALID',
    `white-line 640x360@30 lost most: luma of its worst frame has 36.4 dB, SSIM 0.500; noise 640x360@30: ${rows[1]?.reason}`,
  ]);
  await bench.expectWhole();
});

test('Stop while pictures are kept ends the keeping, and removes their folder', async () => {
  await begin({ sources: ['noise'], holdSeconds: 6, frames: 60 });
  await bench.inRow(1, { seconds: 2 });
  expect(existsSync(join(bench.runFolder, 'pairs'))).toBe(true);
  await bench.execute({ name: 'stop' });
  const { rows, state } = bench.readRun();
  expect([state, shapeOf(rows)]).toEqual([
    'aborted',
    [
      [0, 'baseline: noise 640x360@30', 'PASS'],
      [1, 'noise 640x360@30', 'INVALID'],
    ],
  ]);
  expect(rows[1]?.reason).toMatch(
    /^no frame could be compared: the run was stopped before its pictures were compared/,
  );
  expect(existsSync(join(bench.runFolder, 'pairs'))).toBe(false);
  // Sender and receiver were each asked to keep no more pictures.
  expect(ends).toBe(2);
  await bench.expectWhole();
});

test('a crop that ffmpeg fails to cut ends the run, and its rows are kept', async () => {
  const programs = join(folder, 'programs');
  mkdirSync(programs);
  const script = '#!/bin/sh\necho the disk is on fire >&2; exit 1\n';
  writeFileSync(join(programs, 'ffmpeg'), script, { mode: 0o755 });
  vi.stubEnv('PATH', `${programs}:${process.env.PATH}`);
  const movie = fileOf(join(folder, 'movie.mov'));
  await begin({ sources: [movie], crops: ['330x198'] });
  await bench.ended();
  const { rows, state, verdict, reason } = bench.readRun();
  expect([state, verdict, reason]).toEqual([
    'failed',
    null,
    `ffmpeg failed: it could not cut 330x198 out of ${movie}: the disk is on fire`,
  ]);
  expect(rows.map((row) => [row.streams, ...quality(row, 'pairs')])).toEqual([
    [0, undefined],
    [1, 6],
  ]);
  expect(existsSync(join(bench.runFolder, 'pairs'))).toBe(false);
  await bench.expectWhole();
});
