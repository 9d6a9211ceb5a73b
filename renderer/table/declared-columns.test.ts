import { expect, test } from 'vitest';
import { readRun } from '../../app/engine/sessions/read-run';
import { declarations } from '../../app/experiments/declarations';
import type { Row } from '../../app/facts/row';
import { rowOf } from '../testing/fixtures';
import { texts } from '../texts';
import { studyColumnsOf } from './columns';
import { declaredColumnsOf, filledColumns } from './declared-columns';

const { frames } = texts.table.groups;
const inGroup = (heading: string, columns: ReturnType<typeof declaredColumnsOf>): string[] =>
  columns
    .filter((one) => one.heading === heading)
    .flatMap((one) => one.columns.map(({ metric }) => metric.id));

test.each(declarations)(
  '$id: frames stand in the order of their way, as in the study’s table',
  (declaration) => {
    const rows = [rowOf(1)];
    const study = inGroup(frames, studyColumnsOf(rows));
    const shown = inGroup(frames, declaredColumnsOf(declaration.columns, rows));
    const known = shown.filter((id) => study.includes(id));
    expect(known).toEqual(study.filter((id) => known.includes(id)));
    // What else an experiment counts comes behind.
    expect(shown.slice(0, known.length)).toEqual(known);
  },
);

test('of streams no column is lost, and none is there twice', () => {
  for (const { columns } of declarations) {
    const shown = declaredColumnsOf(columns, [rowOf(1)]).flatMap((group) =>
      group.columns.flatMap(({ metric, spread }) => [metric.id, ...(spread ? [spread.id] : [])]),
    );
    expect(new Set(shown).size).toBe(shown.length);
    for (const { metric } of columns) if (metric !== 'streams') expect(shown).toContain(metric);
  }
});

test('rows of several machines have a column that names them, and rows of one have none', () => {
  const columns = declarations.find(({ id }) => id === 'preflight')?.columns ?? [];
  const row = rowOf(1);
  const shown = (rows: readonly Row[]) => inGroup(texts.table.groups.step, declaredColumnsOf(columns, rows));
  expect(shown([row])).not.toContain('machine');
  expect(shown([row, { ...row, step: { ...row.step, machine: 'display-1' } }])).toContain('machine');
});

test('spoilt frames have a column in the study’s table where some came', () => {
  const { lost } = texts.table.groups;
  const row = rowOf(1);
  const spoilt = { ...row, figures: { ...row.figures, framesSpoilt: 2 } };
  expect(inGroup(lost, studyColumnsOf([row]))).not.toContain('framesSpoilt');
  expect(inGroup(lost, studyColumnsOf([row, spoilt]))).toContain('framesSpoilt');
});

test('of rows without streams only those columns are left out that every row says why it has not', () => {
  const recorded = readRun('test-content/runs/fan-out').rows;
  const [rows = [], latency = []] = ['throughput', 'latency'].map((measure) =>
    recorded.filter(({ step }) => step['ddsFanOut.measure'] === measure),
  );
  const columns = declarations.find(({ id }) => id === 'fan-out')?.columns ?? [];
  const shown = (of: readonly Row[]) =>
    filledColumns(declaredColumnsOf(columns, of), of).flatMap((group) =>
      group.columns.map(({ metric }) => metric.id),
    );
  expect(shown(rows)).toContain('ddsFanOut.medianMbps');
  expect(shown(rows)).not.toContain('ddsFanOut.latency.p50Us');
  expect(shown([...rows, ...latency])).toContain('ddsFanOut.latency.p50Us');
  const silent = rows.map((row) => ({ ...row, notMeasured: {} }));
  expect(shown(silent)).toContain('ddsFanOut.latency.p50Us');
});

test('the column of repeats is there where something was repeated', () => {
  const columns = declarations.find(({ id }) => id === 'stream-load')?.columns ?? [];
  const repeat = 'streamLoad.repeat';
  const shown = (repeats: (number | null)[]): string[] => {
    const rows = repeats.map((number, index) => ({
      ...rowOf(index),
      figures: { ...rowOf(index).figures, [repeat]: number },
    }));
    return filledColumns(declaredColumnsOf(columns, rows), rows).flatMap((group) =>
      group.columns.map(({ metric }) => metric.id),
    );
  };
  expect(shown([1, null])).not.toContain(repeat);
  expect(shown([1, 1])).not.toContain(repeat);
  expect(shown([1, 2, null])).toContain(repeat);
});
