import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { headingWithUnit, metrics, metricValue } from '../../protocol/metrics/registry';
import { runSchema } from '../../protocol/run';
import { exampleRow, loadSample } from '../../testing/example-run';
import { recorderIn } from '../../testing/recorder';
import { temporaryFolder } from '../../testing/temporary-folder';
import { csvOf, exportRun, exportText } from './export';
import { readRun } from './read-run';

const root = temporaryFolder();
const folder = join(root, 'run');
const hostile = 'a "quoted", </script><script>alert(1)</script> $& text';
const rows = [exampleRow(0), { ...exampleRow(1), reason: hostile, verdict: 'WARN' as const }];
const { recorder } = recorderIn(folder);
recorder.sample(loadSample({ wallMs: 1000, lostPerSecond: 2 }));
recorder.sample(loadSample({ wallMs: 1500, lostPerSecond: null }));
recorder.event('stream-added', '1 streams', { streams: 1 }, 1);
for (const row of rows) recorder.row(row);
recorder.end('finished', 'WARN', hostile);

const template = join(root, 'template.html');
const place = '<script type="application/json" id="whiteline-run">{}</script>';
writeFileSync(template, `<html>${place}</html>`);

/** Cells of one line of CSV (RFC 4180). */
function cellsOf(line: string): string[] {
  const cells = [...line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g)];
  return cells.map(([, quoted, plain]) =>
    quoted === undefined ? (plain ?? '') : quoted.replace(/""/g, '"'),
  );
}

test('CSV: one line a row, each figure that of the row, in the order of the registry', () => {
  const lines = csvOf(rows).trimEnd().split('\n');
  expect(lines).toHaveLength(rows.length + 1);
  const heads = cellsOf(lines[0] ?? '');
  expect(heads.slice(3, -1)).toEqual(metrics.map((metric) => `${metric.id} (${headingWithUnit(metric)})`));
  for (const [index, row] of rows.entries()) {
    const cells = cellsOf(lines[index + 1] ?? '');
    expect(cells).toHaveLength(heads.length);
    expect(cells.slice(0, 3)).toEqual([String(row.row), String(row.streams), row.verdict]);
    expect(cells.at(-1)).toBe(row.reason);
    for (const [column, { id }] of metrics.entries()) {
      const value = metricValue(row, id);
      expect(cells[column + 3], id).toBe(value === null ? '' : String(value));
    }
  }
});

test('JSON: the run as it is read', () => {
  const run = JSON.parse(exportText(folder, 'json', template, false));
  expect(runSchema.safeParse(run).success).toBe(true);
  expect(run).toEqual(JSON.parse(JSON.stringify(readRun(folder))));
});

test('HTML: the run in the template’s place, and no text of it ends the script', () => {
  const html = exportText(folder, 'html', template, false);
  const parts = /^<html><script type="application\/json" id="whiteline-run">(.*)<\/script><\/html>$/s.exec(
    html,
  );
  const json = parts?.[1] ?? '';
  expect(json).not.toContain('<');
  const data = JSON.parse(json);
  expect(data.run.rows[1].reason).toBe(hostile);
  expect(data.run.rows).toEqual(JSON.parse(JSON.stringify(rows)));
  expect(data.losses).toEqual([{ wallMs: 1000, lostPerSecond: 2 }]);
  expect(data.marks).toEqual([{ wallMs: expect.any(Number), streams: 1, label: '1 streams' }]);
  expect(data.samples).toHaveLength(2);
});

test('the report’s own template has the place', () => {
  expect(readFileSync('renderer/report/index.html', 'utf8')).toContain(place);
});

test('a template that is absent and a file that cannot be written are told with what to do', () => {
  expect(() => exportText(folder, 'html', join(root, 'absent.html'), false)).toThrow(
    expect.objectContaining({ code: 'NOT_FOUND', remedy: expect.stringMatching(/build/) }),
  );
  expect(() => exportRun(folder, 'csv', join(template, 'x.csv'), template, false)).toThrow(
    expect.objectContaining({ code: 'OUTPUT_UNWRITABLE' }),
  );
  exportRun(folder, 'csv', join(root, 'x.csv'), template, false);
  expect(readFileSync(join(root, 'x.csv'), 'utf8')).toBe(csvOf(rows));
});
