import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { withPresentNames } from '../../experiments/parameter-names';
import { recordMetrics } from '../../facts/metrics/records';
import { metrics } from '../../facts/metrics/registry';
import { wordsOf } from '../../facts/reason-words';
import type { Row, Subject } from '../../facts/row';
import { type Figured, scalarOf } from '../../facts/row-figures';
import { reportLoadFigures } from '../../protocol/report';
import { filesUnder, recordedRuns, recordedRunsFolder } from '../../testing/recorded-runs';
import { reportData } from '../reports/html';
import { ownSamplesOf } from '../reports/load-columns';
import { readEvents, readRun, readSamples, runFiles } from './read-run';

/** What readers must find in each run that is kept: test-content/runs/README.md. */
const readings = resolve('test-content/readings');
const listed = metrics.filter((metric) => !recordMetrics.includes(metric));

const recorded = recordedRuns();

function figuresOf(of: Figured): Record<string, number | string | boolean> {
  return Object.fromEntries(
    listed.flatMap(({ id }) => {
      const figure = scalarOf(of, id);
      return figure === null ? [] : [[id, figure]];
    }),
  );
}

const byName = <Value>(subjects: readonly Subject[], of: (subject: Subject) => Value) =>
  Object.fromEntries(subjects.map((subject) => [subject.name, of(subject)]));

function rowOf({ verdict = null, ...row }: Row) {
  return { verdict, figures: figuresOf(row), subjects: byName(row.subjects, figuresOf) };
}

/** What never changes of a run that was recorded. */
function figuresRead(folder: string) {
  const { rows, verdict, state } = readRun(folder);
  const { load, pictures, leftOut } = reportData(folder, false);
  const charts = reportLoadFigures.map((name, index) => {
    // The report draws losses by the times that rows have of them (lost-over-time.test.ts); here it is that samples are still read.
    const ofSamples = ownSamplesOf(readSamples(folder)).map(({ lostPerSecond }) => lostPerSecond);
    const values = name === 'lost' ? ofSamples : (load.columns[index] ?? []);
    const known = values.filter((value) => value !== null);
    return [name, { points: known.length, sum: known.reduce((sum, value) => sum + value, 0) }];
  });
  return {
    ...{ state, verdict, events: readEvents(folder).length, samples: readSamples(folder).length },
    rows: rows.map(rowOf),
    report: {
      ...{ points: load.wallMs.length, charts: Object.fromEntries(charts), leftOut },
      pictures: pictures.map(({ name, dataUrl }) => ({ name, characters: dataUrl.length })),
    },
  };
}

/** What a person reads of it, which may be worded better one day. */
function wordsRead(folder: string) {
  const { rows, reason } = readRun(folder);
  const { marks, causes, notes, picturesLeftOut } = reportData(folder, false);
  const worded = rows.map(({ label, reason, subjects }) => ({
    ...{ label, reason: wordsOf(reason) },
    subjects: byName(subjects, ({ reason = [] }) => wordsOf(reason)),
  }));
  return { reason, rows: worded, marks, causes, notes, picturesLeftOut };
}

const jsonOf = (value: unknown): string => `${JSON.stringify(value, null, 1)}\n`;

/** The file is written where there is none, and changed by no `vitest -u`: a format only grows. */
async function expectRead(file: string, read: object): Promise<void> {
  if (!existsSync(file)) return expect(jsonOf(read)).toMatchFileSnapshot(file);
  expect(JSON.parse(jsonOf(read))).toMatchObject(JSON.parse(readFileSync(file, 'utf8')));
}

test.each(recorded)(
  '%s: every figure, row, verdict and part of the report is still read; only `npm run new -- example` writes others',
  async (name) => {
    const folder = join(recordedRunsFolder, name);
    await expectRead(join(readings, `${name}.json`), figuresRead(folder));
  },
);

test.each(recorded)('%s: reads in the same words; `vitest -u` writes others', async (name) => {
  const read = jsonOf(wordsRead(join(recordedRunsFolder, name)));
  expect(read).not.toMatch(/undefined|NaN|\[object/);
  await expect(read).toMatchFileSnapshot(join(readings, `${name}.words.json`));
});

test.each(recorded)('%s: nothing is missing, and run.json is what the other files say', (name) => {
  const folder = join(recordedRunsFolder, name);
  const run = readRun(folder);
  expect(run.missing).toBeUndefined();
  const said = JSON.parse(readFileSync(join(folder, runFiles.run), 'utf8'));
  const parameters = withPresentNames(said.experiment, said.parameters);
  expect(run).toEqual({ ...said, parameters });
});

test('each reading is of a run that is kept', () => {
  const files = filesUnder(readings);
  const names = files.map((file) => file.replace(/(\.words)?\.json$/, ''));
  expect([...new Set(names)].sort()).toEqual(recorded);
});
