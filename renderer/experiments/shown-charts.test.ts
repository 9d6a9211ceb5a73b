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

test('the first chart of a run that did not pass is that of what was wrong', () => {
  const run = readRun(join(recordedRunsFolder, 'stream-load'));
  const [, second = run.rows[0]] = run.rows;
  if (!second) throw new Error('the recorded run has rows');
  const firstOf = (code: string): string | undefined => {
    const figures = { ...second.figures, framesDropped: 7 };
    const failed = { ...second, verdict: 'FAIL' as const, reason: [{ code, data: {} }], figures };
    return shownCharts({ ...run, rows: [...run.rows, failed] })[0]?.title;
  };
  expect(firstOf('frames-lost')).toBe('Frames lost or not sent');
  expect(firstOf('stalls')).toBe('Longest gap');
  expect(firstOf('sums-disagree')).toBe('CPU max');
});

test('a run that no experiment made has no chart', () => {
  expect(titlesOf('live')).toEqual([]);
});
