import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { readRun } from '../engine/sessions/read-run';
import { metricsTable } from '../facts/metrics/document';
import { recordedRuns, recordedRunsFolder } from '../testing/recorded-runs';
import { declarations } from './declarations';
import { experimentMetrics } from './facts';

const named = declarations.map((declaration) => ({ id: declaration.id, declaration }));

test.each(named)('$id has a page, a recorded run and a test of its command', ({ id }) => {
  const folder = resolve('app/experiments', id);
  const page = `docs/experiments/${id}.md`;
  expect(existsSync(page), `${id} has no page ${page}`).toBe(true);
  const remedy = `npm run new -- example ${id} records one`;
  expect(recordedRuns(), `${id} has no recorded run in test-content/runs/${id}: ${remedy}`).toContain(id);
  const { experiment, rows } = readRun(join(recordedRunsFolder, id));
  expect(experiment, `test-content/runs/${id} is not of ${id}: ${remedy}`).toBe(id);
  expect(rows.length, `test-content/runs/${id} has no row: ${remedy}`).toBeGreaterThan(0);
  const runsIt = new RegExp(`'run',\\s*'${id}'`);
  const tests = readdirSync(folder).filter((file) => file.endsWith('.test.ts'));
  expect(
    tests.filter((file) => runsIt.test(readFileSync(join(folder, file), 'utf8'))),
    `${id} has no test of its command in ${folder}, one with 'run', '${id}'`,
  ).not.toEqual([]);
});

const begin = '<!-- figures: `vitest -u` writes this table -->\n';
const end = '<!-- /figures -->';

test.each(named)('the page of $id has the table of its figures; `vitest -u` writes it', async (of) => {
  const page = resolve(`docs/experiments/${of.id}.md`);
  const [before, inside] = readFileSync(page, 'utf8').split(begin);
  const after = inside?.slice(inside.indexOf(end));
  if (after === undefined || !after.startsWith(end)) throw new Error(`${page} has no place for its figures`);
  const { columns, charts } = of.declaration;
  const shown = [...columns, ...charts.flatMap(({ figures }) => figures)].map(({ metric }) => metric);
  const own = experimentMetrics.filter(({ id }) => shown.includes(id));
  await expect(`${before}${begin}${metricsTable(own)}\n${after}`).toMatchFileSnapshot(page);
});
