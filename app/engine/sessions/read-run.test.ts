import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { replacedLabel } from '../../facts/row-labels';
import { exampleRow } from '../../testing/example-run';
import { loadSample } from '../../testing/load-sample';
import { cases, Random, seeds } from '../../testing/random';
import { recorderIn } from '../../testing/recorder';
import { temporaryFolder } from '../../testing/temporary-folder';
import { readEvents, readLines, readRun, readSamples, runFiles } from './read-run';
import { rowOf } from './run-records';

const root = temporaryFolder();
const whole = join(root, 'whole');
const rows = Array.from({ length: 5 }, (_, index) => exampleRow(index));
const { recorder } = recorderIn(whole);
for (const [index, row] of rows.entries()) {
  recorder.event('problem', `before row ${index}, with “ünïcödé” in it`);
  for (let sample = 0; sample < 4; sample++) recorder.sample(loadSample({ atNs: sample }));
  recorder.row(row);
}
recorder.end('finished', 'PASS', 'all well');

const cutFiles = [runFiles.rows, runFiles.samples, runFiles.events] as const;

test.each(seeds)('a run whose files were cut anywhere is read up to the cut (seed %i)', (seed) => {
  const random = new Random(seed);
  const events = readEvents(whole);
  for (const name of cutFiles) {
    const folder = join(root, `cut-${name}`);
    cpSync(whole, folder, { recursive: true });
    const text = readFileSync(join(folder, name));
    for (let round = 0; round < cases(30, 100); round++) {
      const bytes = random.whole(0, text.length);
      writeFileSync(join(folder, name), text.subarray(0, bytes));
      const where = `${name} cut at byte ${bytes}`;
      const run = readRun(folder);
      expect(run.rows, where).toEqual(rows.slice(0, run.rows.length));
      if (name !== runFiles.rows) expect(run.rows, where).toHaveLength(rows.length);
      const reported = readEvents(folder);
      expect(reported, where).toEqual(events.slice(0, reported.length));
      expect(run.state, where).toBe(reported.length === events.length ? 'finished' : 'interrupted');
      expect(readSamples(folder).length, where).toBeLessThanOrEqual(20);
    }
  }
});

test.each(seeds)('bytes that a power cut made of a file are left out (seed %i)', (seed) => {
  const random = new Random(seed);
  const folder = join(root, `spoilt-${seed}`);
  cpSync(whole, folder, { recursive: true });
  const path = join(folder, runFiles.rows);
  const text = readFileSync(path);
  for (let round = 0; round < cases(30, 100); round++) {
    const spoilt = Buffer.from(text);
    const at = random.whole(0, spoilt.length - 200);
    spoilt.fill(0, at, at + random.whole(1, 200));
    writeFileSync(path, spoilt);
    const { rows: read } = readRun(folder);
    expect(read.length).toBeGreaterThanOrEqual(rows.length - 2);
    for (const row of read) expect(rows).toContainEqual(row);
  }
});

test('a folder without a run is not one', () => {
  const folder = join(root, 'empty');
  mkdirSync(folder);
  for (const path of [folder, join(root, 'absent')]) {
    expect(() => readRun(path)).toThrow(
      expect.objectContaining({ code: 'NOT_FOUND', value: path, remedy: expect.any(String) }),
    );
  }
  expect(readLines(join(folder, 'absent'))).toEqual([]);
});

test('a run whose beginning says nothing of use is not one either', () => {
  const folder = join(root, 'foreign');
  mkdirSync(folder);
  const event = { at: '', kind: 'run-started', text: '', details: { id: 5 } };
  writeFileSync(join(folder, runFiles.events), `${JSON.stringify(event)}\n`);
  expect(() => readRun(folder)).toThrow(expect.objectContaining({ code: 'NOT_FOUND' }));
});

test('lines of another kind are left out', () => {
  const folder = join(root, 'odd-lines');
  cpSync(whole, folder, { recursive: true });
  const path = join(folder, runFiles.rows);
  writeFileSync(path, `null\n[]\n5\n"x"\n{}\n${readFileSync(path, 'utf8')}\n\n`);
  expect(readRun(folder).rows).toEqual(rows);
  const samples = join(folder, runFiles.samples);
  writeFileSync(samples, `null\n5\n${readFileSync(samples, 'utf8')}`);
  expect(readSamples(folder)).toHaveLength(20);
});

test('a sample with a number that JSON reads as infinite, and a row with a name that no table can have, are left out', () => {
  const folder = join(root, 'odd-figures');
  cpSync(whole, folder, { recursive: true });
  const samples = join(folder, runFiles.samples);
  const text = readFileSync(samples, 'utf8');
  const spoilt = ['"busiestCorePercent":30', '"cpuPercent":5'].map((figure) =>
    text.split('\n', 1).join().replace(figure, figure.replace(/\d+$/, '1e999')),
  );
  expect(spoilt.map((line) => line.includes('1e999'))).toEqual([true, true]);
  writeFileSync(samples, `${spoilt.join('\n')}\n${text}`);
  expect(readSamples(folder)).toHaveLength(20);

  const recorded = resolve('test-content/runs/storage');
  const [first = ''] = readFileSync(join(recorded, runFiles.rows), 'utf8').split('\n');
  const row = JSON.parse(first);
  expect(rowOf(row)?.figures).toMatchObject({ 'storage.medianMBps': 803.024875 });
  for (const name of ['toString', '\u0000', 'a,b'])
    expect(rowOf({ ...row, figures: { ...row.figures, [name]: 1 } }), name).toBeUndefined();

  const withRole = (role: string) => ({
    ...exampleRow(0),
    load: { host: { [role]: { cpuMeanPercent: 5 } } },
  });
  expect(rowOf(withRole('receiver'))).toBeDefined();
  for (const role of ['toString', '\u0000', '"']) expect(rowOf(withRole(role)), role).toBeUndefined();
});

test.each([
  ['aborted', 2, 'stopped before it was measured again'],
  ['aborted', 3, replacedLabel(2)],
  ['finished', 2, replacedLabel(2)],
] as const)('the row that was to be replaced in a run that is %s and has %i rows', (state, count, label) => {
  const folder = join(root, `replaced-${state}-${count}`);
  const { recorder } = recorderIn(folder);
  for (let index = 0; index < count; index++)
    recorder.row({
      ...exampleRow(index),
      ...(index === 1 && { verdict: 'INVALID', label: replacedLabel(2) }),
    });
  recorder.end(state, null, '');
  expect(readRun(folder).rows[1]?.label).toBe(label);
});
