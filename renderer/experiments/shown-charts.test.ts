import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readRun } from '../../app/engine/sessions/read-run';
import { recordedRunsFolder } from '../../app/testing/recorded-runs';
import { shownCharts } from './shown-charts';

const titlesOf = (name: string, rows?: number): string[] => {
  const run = readRun(join(recordedRunsFolder, name));
  return shownCharts({ ...run, rows: run.rows.slice(0, rows) }).map(({ title }) => title);
};

test.each([
  ['stream-load', 'CPU max'],
  ['pacing', 'Distribution of the intervals'],
  ['fan-out', 'Throughput of each subscriber'],
  ['quiet', 'Worst lateness over time'],
  ['storage', 'Rate'],
  ['preflight', undefined],
])('the first chart of %s that holds something is %s', (name, title) => {
  expect(titlesOf(name)[0]).toBe(title);
});

test('one row alone has no chart over steps, and may have one of what it measured many times', () => {
  expect(titlesOf('stream-load', 1)).toEqual([]);
  expect(titlesOf('pacing', 1)[0]).toBe('Distribution of the intervals');
});

test('a run that no experiment made has no chart', () => {
  expect(titlesOf('live')).toEqual([]);
});
