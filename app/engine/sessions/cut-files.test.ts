import {
  appendFileSync,
  cpSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { RunEvent } from '../../facts/run';
import { type RunRow, readNamedRun } from '../../testing/named-rows';
import { Random, seeds } from '../../testing/random';
import { SimulatedBench } from '../../testing/simulated-bench';
import { temporaryFolder } from '../../testing/temporary-folder';
import { annotateRun, remarkEvent } from './notes';
import { readEvents, readRun, readSamples, runFiles } from './read-run';

/** A run as the engine records it of made-up streams, cut as a kill or a power cut would. */
const root = temporaryFolder();
const whole = join(root, 'whole');
const folder = join(root, 'cut');
const files = Object.values(runFiles);
const bytesOf = (name: string): Buffer => readFileSync(join(whole, name));
let rows: RunRow[] = [];
let events: RunEvent[] = [];
let samples = 0;

beforeAll(async () => {
  const bench = await SimulatedBench.start(root);
  const ramp = { format: '640x360@30', maxStreams: 2, holdSeconds: 1.5, warmUpSeconds: 0.3 };
  await bench.run('stream-load', { ...ramp, inject: 'skip:10-12' });
  renameSync(bench.runFolder, whole);
  await bench.close();
  rows = readNamedRun(whole).rows;
  events = readEvents(whole);
  samples = readSamples(whole).length;
  expect(readNamedRun(whole).state).toBe('finished');
  expect([rows.length, events.length > 5, samples > 4]).toEqual([3, true, true]);
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

function copy(): void {
  rmSync(folder, { recursive: true, force: true });
  cpSync(whole, folder, { recursive: true });
}

/** Whole lines, by bytes; a last line that lacks only its end is whole. */
function wholeLines(name: string, bytes: number): number {
  const text = bytesOf(name);
  const ends = text.subarray(0, bytes).filter((byte) => byte === 0x0a).length;
  return ends + Number(bytes > 0 && text[bytes] === 0x0a && text[bytes - 1] !== 0x0a);
}

/** What the folder must give back when each file has so many bytes. */
function expectUpTo(cut: Record<string, number>, where: string): void {
  const left = (name: string): number => wholeLines(name, cut[name] ?? bytesOf(name).length);
  const run = readNamedRun(folder);
  expect(run.rows, where).toEqual(rows.slice(0, left(runFiles.rows)));
  expect(readSamples(folder), where).toHaveLength(left(runFiles.samples));
  expect(readEvents(folder), where).toEqual(events.slice(0, left(runFiles.events)));
  expect(run.state, where).toBe(left(runFiles.events) === events.length ? 'finished' : 'interrupted');
}

test.each(seeds)('cut anywhere, one file or all of them, whole lines stay (seed %i)', (seed) => {
  const random = new Random(seed);
  for (let round = 0; round < 150; round++) {
    copy();
    const cut: Record<string, number> = {};
    const all = round % 3 === 0;
    for (const name of all ? files : [files[round % files.length] as string]) {
      cut[name] = random.whole(0, bytesOf(name).length);
      truncateSync(join(folder, name), cut[name]);
    }
    expectUpTo(cut, `seed ${seed}, round ${round}: ${JSON.stringify(cut)}`);
  }
});

test.each(seeds)('zeros in the place of what a power cut kept from the disk (seed %i)', (seed) => {
  const random = new Random(seed);
  for (let round = 0; round < 60; round++) {
    copy();
    const cut: Record<string, number> = {};
    for (const name of files) {
      const bytes = random.whole(0, bytesOf(name).length);
      truncateSync(join(folder, name), bytes);
      appendFileSync(join(folder, name), Buffer.alloc(random.whole(1, 5000)));
      // Zeros behind a line without its end spoil it.
      cut[name] = bytesOf(name).subarray(0, bytes).lastIndexOf(0x0a) + 1;
    }
    expectUpTo(cut, `seed ${seed}, round ${round}: ${JSON.stringify(cut)}`);
  }
});

describe('run.json', () => {
  test.each([
    ['missing', () => rmSync(join(folder, runFiles.run))],
    ['empty', () => truncateSync(join(folder, runFiles.run), 0)],
    ['half', () => truncateSync(join(folder, runFiles.run), bytesOf(runFiles.run).length >> 1)],
    ['of zeros', () => writeFileSync(join(folder, runFiles.run), Buffer.alloc(4096))],
    ['half-written beside it', () => writeFileSync(join(folder, `${runFiles.run}.new`), '{"schema":')],
  ])('%s: the other files say the same', (_, spoil) => {
    copy();
    spoil();
    expect(readNamedRun(folder)).toEqual(readNamedRun(whole));
  });

  test('gives the beginning where the first line of the events is lost', () => {
    copy();
    truncateSync(join(folder, runFiles.events), 40);
    const { id, title, command, thresholds, environment } = readNamedRun(whole);
    expect(readNamedRun(folder)).toMatchObject({
      ...{ id, title, command, thresholds, environment, rows, state: 'interrupted', verdict: null },
    });
  });
});

test('a run that was cut off within its first line is one without a beginning', () => {
  mkdirSync(folder);
  for (const name of [runFiles.rows, runFiles.samples]) writeFileSync(join(folder, name), '');
  writeFileSync(join(folder, runFiles.events), bytesOf(runFiles.events).subarray(0, 40));
  expect(readNamedRun(folder)).toMatchObject({
    id: 'cut',
    experiment: 'unknown',
    state: 'interrupted',
    rows: [],
  });
  writeFileSync(join(folder, runFiles.rows), bytesOf(runFiles.rows));
  expect(readNamedRun(folder)).toMatchObject({ startedAt: rows[0]?.startedAt, rows });
});

test('a note behind a line that was cut short is read, and costs no other line', () => {
  copy();
  const bytes = bytesOf(runFiles.events).length - 30;
  truncateSync(join(folder, runFiles.events), bytes);
  // The power was cut long ago: this run is no longer recorded.
  utimesSync(join(folder, runFiles.samples), 0, 0);
  annotateRun(folder, [remarkEvent({ kind: 'note', text: 'Power cut at ten' }, new Date())]);
  const run = readNamedRun(folder);
  expect(run.notes).toMatchObject([{ kind: 'note', text: 'Power cut at ten' }]);
  expect(run.state).toBe('interrupted');
  expect(readEvents(folder)).toHaveLength(events.length);
  expect(JSON.parse(readFileSync(join(folder, runFiles.run), 'utf8'))).toEqual(
    JSON.parse(JSON.stringify(readRun(folder))),
  );
});
