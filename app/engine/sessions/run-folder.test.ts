import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { exitCodeOf, exitCodes } from '../../protocol/errors';
import { exampleRow } from '../../testing/example-run';
import { loadSample } from '../../testing/load-sample';
import { recorderIn } from '../../testing/recorder';
import { temporaryFolder } from '../../testing/temporary-folder';
import { readEvents, readRun, readSamples, runFiles } from './read-run';

const root = temporaryFolder();
let folders = 0;
const newFolder = (): string => join(root, `run-${++folders}`);

const mounted: string[] = [];
afterEach(() => {
  for (const path of mounted.splice(0)) execFileSync('umount', [path]);
});

test('rows, samples and events are on disk as soon as they are reported, and run.json at the end', async () => {
  const folder = newFolder();
  const { recorder, problems } = recorderIn(folder);
  recorder.sample(loadSample());
  recorder.event('problem', 'a word', { by: 'hand' }, 2);
  for (const index of [0, 1]) {
    const row = exampleRow(index);
    recorder.row(row);
    const run = readRun(folder, { running: true });
    expect(run).toMatchObject({ state: 'running', verdict: null });
    expect(run.rows).toHaveLength(index + 1);
    expect(run.rows[index]).toEqual(row);
  }
  const begun = JSON.parse(readFileSync(join(folder, runFiles.run), 'utf8'));
  expect(begun).toMatchObject({ state: 'running', verdict: null, rows: [] });
  expect(readSamples(folder)).toEqual([{ ...loadSample(), host: hostname() }]);
  expect(readEvents(folder).map((event) => event.kind)).toEqual(['run-started', 'problem']);
  await recorder.end('finished', 'PASS', 'all well');
  const run = JSON.parse(readFileSync(join(folder, runFiles.run), 'utf8'));
  expect(run).toMatchObject({ state: 'finished', verdict: 'PASS', reason: 'all well' });
  expect(run).toEqual(JSON.parse(JSON.stringify(readRun(folder))));
  expect(readdirSync(folder).sort()).toEqual(Object.values(runFiles).sort());
  expect(problems).toEqual([]);
});

test('nothing is added to a run that has ended, and its end is reported once', () => {
  const folder = newFolder();
  const { recorder } = recorderIn(folder);
  recorder.end('aborted', null, 'stopped');
  recorder.event('problem', 'too late');
  recorder.sample(loadSample());
  recorder.end('finished', 'PASS', 'again');
  expect(readRun(folder)).toMatchObject({ state: 'aborted', reason: 'stopped' });
  expect(readEvents(folder).map((event) => event.kind)).toEqual(['run-started', 'run-ended']);
});

test('a run is read as interrupted when no one ended it', () => {
  const folder = newFolder();
  const { recorder } = recorderIn(folder);
  recorder.row(exampleRow());
  expect(readRun(folder, { running: true })).toMatchObject({ state: 'running' });
  expect(readRun(folder)).toMatchObject({ state: 'interrupted', endedAt: null, verdict: null });
  expect(readRun(folder).rows).toHaveLength(1);
  recorder.end('finished', null, '');
});

test.each(Object.values(runFiles))('a folder with %s in it is not written over', (name) => {
  const folder = newFolder();
  mkdirSync(folder);
  writeFileSync(join(folder, name), 'mine\n');
  expect(() => recorderIn(folder)).toThrow(
    expect.objectContaining({ code: 'BAD_INPUT', field: 'out', value: folder, remedy: expect.any(String) }),
  );
  expect(readFileSync(join(folder, name), 'utf8')).toBe('mine\n');
});

test('a folder that holds other files may be used', () => {
  const folder = newFolder();
  mkdirSync(folder);
  writeFileSync(join(folder, 'captured-1.log'), '');
  const { recorder } = recorderIn(folder);
  recorder.end('finished', 'PASS', '');
  expect(readRun(folder).state).toBe('finished');
});

test.each([
  ['the folder is moved', (folder: string) => renameSync(folder, `${folder}-moved`)],
  ['the folder is removed', (folder: string) => rmSync(folder, { recursive: true })],
  [
    'another file takes the place of one',
    (folder: string) => {
      rmSync(join(folder, runFiles.rows));
      writeFileSync(join(folder, runFiles.rows), '');
    },
  ],
])('%s while it is recorded: that is reported once, as a fault of the environment', async (_, change) => {
  const folder = newFolder();
  const { recorder, problems } = recorderIn(folder);
  change(folder);
  await vi.waitFor(() => expect(problems).toHaveLength(1));
  recorder.row(exampleRow(0));
  await recorder.end('aborted', null, 'its folder is gone');
  const [problem] = problems;
  expect(problems).toHaveLength(1);
  expect(problem?.message).toContain(`The run's files in ${folder} were removed or moved`);
  expect(problem && exitCodeOf(problem)).toBe(exitCodes.environment);
});

test('a folder that is gone at the very end is reported too', async () => {
  const folder = newFolder();
  const { recorder, problems } = recorderIn(folder);
  rmSync(folder, { recursive: true });
  await recorder.end('finished', 'PASS', 'all well');
  expect(problems).toMatchObject([{ code: 'OUTPUT_UNWRITABLE', value: folder }]);
  expect(existsSync(folder)).toBe(false);
});

test('a folder that cannot be made is refused with what to do', () => {
  const file = join(root, 'a-file');
  writeFileSync(file, '');
  expect(() => recorderIn(join(file, 'run'))).toThrow(
    expect.objectContaining({ code: 'OUTPUT_UNWRITABLE', remedy: 'Choose a folder that you may write to' }),
  );
});

/** As root this must work; an ordinary user may not mount. */
function smallDisk(kilobytes: number): string {
  const path = newFolder();
  mkdirSync(path);
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${kilobytes}k`, 'tmpfs', path]);
  mounted.push(path);
  return path;
}

test.runIf(process.getuid?.() === 0)(
  'a full disk is reported once, and what was written before stays readable',
  async () => {
    const folder = join(smallDisk(64), 'run');
    const { recorder, problems } = recorderIn(folder);
    const rows = Array.from({ length: 40 }, (_, index) => exampleRow(index));
    for (const row of rows) recorder.row(row);
    expect(problems).toHaveLength(1);
    expect(problems[0]).toMatchObject({
      code: 'DISK_FULL',
      field: 'out',
      remedy: expect.stringMatching(/Free/),
    });
    await recorder.end('finished', 'PASS', 'no frame lost');
    const run = readRun(folder);
    // Rows may be lost: what ended the run is said, and no verdict.
    expect(run).toMatchObject({
      ...{ state: 'failed', verdict: null },
      reason: expect.stringMatching(/^The disk of .+\.jsonl is full: no frame lost;/),
    });
    expect(run.rows.length).toBeGreaterThan(3);
    expect(run.rows.length).toBeLessThan(40);
    expect(run.rows).toEqual(rows.slice(0, run.rows.length));
    // Of the run's beginning: there was no room for a newer one.
    expect(JSON.parse(readFileSync(join(folder, runFiles.run), 'utf8'))).toMatchObject({ state: 'running' });
    expect(readdirSync(folder).sort()).toEqual(Object.values(runFiles).sort());
  },
);

test.runIf(process.getuid?.() === 0)('a run that a full disk has no room for does not begin', () => {
  const disk = smallDisk(64);
  const existing = join(disk, 'existing');
  mkdirSync(existing);
  writeFileSync(join(existing, 'captured-1.log'), '');
  const full = () => writeFileSync(join(disk, 'ballast'), Buffer.alloc(1 << 20));
  expect(full).toThrow(/ENOSPC/);
  for (const folder of [join(disk, 'run'), existing]) {
    expect(() => recorderIn(folder)).toThrow(expect.objectContaining({ code: 'DISK_FULL', field: 'out' }));
  }
  expect(readdirSync(disk).sort()).toEqual(['ballast', 'existing']);
  expect(readdirSync(existing)).toEqual(['captured-1.log']);
});

test.runIf(process.getuid?.() === 0)('a line that a full disk cut short costs no other line', () => {
  const disk = smallDisk(64);
  const { recorder, problems } = recorderIn(join(disk, 'run'));
  writeFileSync(join(disk, 'ballast'), Buffer.alloc(40 * 1024));
  for (let index = 0; index < 12; index++) recorder.row(exampleRow(index));
  expect(problems).toHaveLength(1);
  writeFileSync(join(disk, 'ballast'), '');
  const later = exampleRow(99);
  recorder.row(later);
  expect(readRun(join(disk, 'run')).rows.at(-1)).toEqual(later);
  recorder.end('finished', null, '');
});
