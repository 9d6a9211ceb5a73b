import { cpSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { TerminalTable } from '../../app/cli/terminal-table';
import { compareRuns } from '../../app/engine/history/compare';
import { literal, queryRows, withDatabase } from '../../app/engine/history/database';
import { exportParquet } from '../../app/engine/history/parquet';
import { regressionsOf, unjudgedOf } from '../../app/engine/history/regressions';
import { csvOf, figuresOf } from '../../app/engine/reports/csv';
import { reportData } from '../../app/engine/reports/html';
import { junitOf } from '../../app/engine/reports/junit';
import { chosenGroup, GroupReader } from '../../app/engine/reports/run-group';
import { sessionReportData } from '../../app/engine/reports/session-page';
import { readRun } from '../../app/engine/sessions/read-run';
import { declarations } from '../../app/experiments/declarations';
import { metricFor } from '../../app/facts/metrics/registry';
import { type Row, rowSchema } from '../../app/facts/row';
import { type Figured, figureOf, numberOf, recordedMetrics, scalarOf } from '../../app/facts/row-figures';
import type { Run } from '../../app/facts/run';
import { madeUpRow } from '../../app/testing/made-up-rows';
import { recordRun } from '../../app/testing/recorded-run';
import { temporaryFolder } from '../../app/testing/temporary-folder';
import { rampOf } from '../charts/step-series';
import { valueFigure } from '../format';
import { Report } from './report';
import { missingFigures, missingText } from './report-data';
import { SessionReport } from './session-report';

const root = temporaryFolder();

const folderOf = (experiment: string): string => resolve('test-content/runs', experiment);

const experiments = declarations.map(({ id }) => id);

function columnsOf({ experiment }: Run): string[] {
  return declarations.find(({ id }) => id === experiment)?.columns.map(({ metric }) => metric) ?? [];
}

test.each(experiments)('%s: rows are of the format', (experiment) => {
  const run = readRun(folderOf(experiment));
  expect(run.missing).toBeUndefined();
  expect(run.rows.length).toBeGreaterThan(0);
  for (const row of run.rows) expect(rowSchema.parse(JSON.parse(JSON.stringify(row)))).toEqual(row);
});

test.each(experiments)(
  '%s: each declared figure stands in the report, and each declared chart',
  (experiment) => {
    const folder = folderOf(experiment);
    const markup = renderToStaticMarkup(<Report data={reportData(folder, false)} />);
    const tables = markup.slice(markup.indexOf('data-testid="study-table"'));
    const { rows } = readRun(folder);
    const declaration = declarations.find(({ id }) => id === experiment);
    for (const row of rows) {
      for (const { metric: id } of declaration?.columns ?? []) {
        const metric = metricFor(id);
        const value = figureOf(row, id);
        const cell = new RegExp(`data-metric="${id}" data-row="${row.index}"[^>]*>([^<]*)<`).exec(
          tables,
        )?.[1];
        if (cell === undefined && rows.every((one) => figureOf(one, id) === null)) {
          // What no row has is no column; it is named with its reason.
          const named = missingFigures({ experiment, rows }).find(
            ({ rows: of, figures }) => of.includes(row.index) && figures.includes(id),
          );
          expect(named?.reason, id).toBe(row.notMeasured[id]);
          expect(markup, id).toContain(missingText(named ?? { reason: '', rows: [], figures: [] }));
          continue;
        }
        expect(cell, `${id} of row ${row.index}`).toBeDefined();
        if (typeof value === 'number') expect(cell).toBe(valueFigure(value, metric));
        if (value === null) expect(cell).toBe('—');
      }
    }
    const valid = rows.filter(({ verdict }) => verdict !== 'INVALID');
    for (const { kind = 'steps', figures, title, over } of declaration?.charts ?? []) {
      const [{ metric = '' } = {}] = figures;
      const isOverRows = kind === 'steps' || kind === 'curves';
      // Of INVALID rows a chart over the rows says that it leaves them out.
      const drawn = isOverRows ? valid : rows;
      const isMeasured = figures.some(({ metric: id }) =>
        drawn.some((row) => [row, ...row.subjects].some((of) => figureOf(of, id) !== null)),
      );
      const steps = over === undefined ? drawn : new Set(drawn.flatMap((row) => scalarOf(row, over) ?? []));
      // A line of two points says no more than the table.
      const least = kind === 'steps' && rampOf(valid) ? 3 : 2;
      if (!isMeasured || (isOverRows && [...steps].length < least)) continue;
      const mark = {
        steps: title,
        series: `data-series="${metric}"`,
        curves: title,
        histogram: `data-histogram="${metric}"`,
      };
      expect(markup, `the chart ${title}`).toContain(mark[kind]);
    }
    const { columns, rows: publishedRows = [] } = declaration?.published ?? {};
    for (const { label, values, limit } of publishedRows) {
      const published = markup.slice(markup.indexOf('data-testid="published"'));
      expect(values).toHaveLength(
        (columns && 'metrics' in columns ? columns.metrics : columns?.at)?.length ?? 0,
      );
      expect(published).toContain(label);
      if (limit) expect(published).toMatch(/>(&gt;|&lt;|≤|≥) [\d,]+(\.[\d]*[1-9])?</);
      if (columns && 'digits' in columns) {
        const metric = { ...metricFor(columns.metric), digits: columns.digits };
        expect(published).toContain(`>${valueFigure(values.at(-1) ?? null, metric)}<`);
      }
    }
    expect(markup).not.toMatch(/undefined|NaN|\[object/);
  },
);

test.each(experiments)('%s: the terminal shows its declared columns', (experiment) => {
  const { rows } = readRun(folderOf(experiment));
  const declaration = declarations.find(({ id }) => id === experiment);
  if (!declaration) throw new Error(`${experiment} is declared`);
  const table = new TerminalTable(declaration);
  const text = rows.flatMap((row) => table.lines(row)).join('\n');
  const shown = declaration.terminal ?? declaration.columns.map(({ metric }) => metric);
  const counts = shown.filter((id) => metricFor(id).digits === 0 && metricFor(id).unit === '');
  for (const row of rows)
    for (const id of counts)
      if (row.label === '' && numberOf(row, id) !== null) expect(text).toContain(String(numberOf(row, id)));
  expect(text).not.toMatch(/undefined|NaN|\[object/);
});

test.each(experiments)('%s: CSV and JUnit have each figure of each row', (experiment) => {
  const run = readRun(folderOf(experiment));
  const ids = figuresOf(run).map(({ id }) => id);
  for (const id of columnsOf(run)) expect(ids).toContain(id);
  const csv = csvOf(run);
  const junit = junitOf(run);
  for (const row of run.rows) {
    for (const id of ids) {
      const value = numberOf(row, id);
      if (value === null) continue;
      expect(csv).toContain(String(value));
      expect(junit).toContain(`${id} (`);
    }
  }
});

test.each(experiments)('%s: a run is compared with another of it, step by step', (experiment) => {
  const run = readRun(folderOf(experiment));
  const same = compareRuns([run, run]);
  for (const { figures } of same.steps)
    for (const { metric, runs } of figures)
      expect(['same', 'unmeasured', 'unknown'], metric).toContain(runs[1]?.standing);
  expect(same.uncovered).toEqual([]);
  const valid = run.rows.filter(({ verdict }) => verdict !== 'INVALID');
  const judged = (declarations.find(({ id }) => id === experiment)?.columns ?? [])
    .filter(({ role }) => role === 'measure' || role === 'count')
    .map(({ metric }) => metricFor(metric))
    .filter(({ direction }) => direction !== 'none');
  // Of a list of checks no figure is better or worse.
  if (judged.length === 0) return;
  const metric = judged.find(({ id }) => valid.some(({ figures }) => Number(figures[id] ?? 0) > 0));
  if (!metric)
    throw new Error(`No valid row of the recorded run of ${experiment} has a figure that can be worse`);
  const { id, direction } = metric;
  const worsened = (row: Row): Row => {
    const value = row.figures[id];
    if (typeof value !== 'number') return row;
    return { ...row, figures: { ...row.figures, [id]: direction === 'lower' ? 3 * value + 5 : value / 3 } };
  };
  const comparison = compareRuns([run, { ...run, rows: run.rows.map(worsened) }]);
  // Whether it is judged depends on whether rows are repeated.
  const found = [...regressionsOf(comparison), ...unjudgedOf(comparison)];
  expect(found.map(({ metric }) => metric)).toContain(id);
});

test.each(experiments)('%s: Parquet has each figure of each row and subject', async (experiment) => {
  const folder = folderOf(experiment);
  const { rows } = readRun(folder);
  const out = join(root, `parquet-${experiment}`);
  await exportParquet([folder], out, 'keep');
  const back = (table: string) =>
    withDatabase((connection) =>
      queryRows(connection, `SELECT * FROM read_parquet(${literal(join(out, `${table}.parquet`))})`, []),
    );
  const expectAll = (found: Record<string, unknown>[], all: readonly Figured[]): void => {
    expect(found).toHaveLength(all.length);
    for (const [index, of] of all.entries()) {
      for (const { id } of recordedMetrics([of])) {
        const figure = figureOf(of, id);
        const cell = typeof figure === 'object' && figure !== null ? JSON.stringify(figure) : figure;
        expect(found[index]?.[id] ?? null, id).toBe(cell);
      }
    }
  };
  expectAll(await back('rows'), rows);
  const subjects = rows.flatMap((row) => row.subjects);
  if (subjects.length > 0) expectAll(await back('subjects'), subjects);
});

test('a figure and a kind of subject that only a newer version knows are shown as what they are', () => {
  const row = madeUpRow(0, {
    figures: { 'newer.jitterPs': 12.5, 'newer.shape': { points: [[0, 1]] } },
    subjects: [
      { kind: 'newer', id: '1', name: 'one', hosts: {}, figures: { 'newer.jitterPs': 3 }, notMeasured: {} },
    ],
  });
  const folder = recordRun(join(root, 'newer'), { experiment: 'newer', rows: [row] });
  const markup = renderToStaticMarkup(<Report data={reportData(folder, false)} />);
  expect(markup).toMatch(/data-metric="newer.jitterPs" data-row="0"[^>]*>12.500</);
  expect(markup).toContain('data-definition="newer.jitterPs"');
  expect(csvOf(readRun(folder))).toContain('newer.jitterPs');
});

test.each(experiments)('%s: two runs stand beside each other in the report of both', (experiment) => {
  const folder = folderOf(experiment);
  const copy = join(root, `${experiment}-again-${Math.random()}`);
  cpSync(folder, copy, { recursive: true });
  const data = sessionReportData(new GroupReader(chosenGroup([folder, copy])));
  const markup = renderToStaticMarkup(<SessionReport data={data} />);
  const beside = markup.slice(markup.indexOf('data-testid="repeats"'), markup.indexOf('<article'));
  const rows = readRun(folder).rows;
  // The number of streams is no figure there: it stands before the runs.
  const figure = columnsOf(readRun(folder)).find((id) => id !== 'streams');
  expect(beside.split('>Run 1<').length).toBe(beside.split('>Run 2<').length);
  expect(beside.split(`data-metric="${figure}"`).length - 1).toBe(2 * rows.length);
});
