import { expect, test } from 'vitest';
import type { RunSummary } from '../protocol/history';
import { withOwnProcess } from './own-process';
import { runsTable } from './runs-table';

const run: RunSummary = {
  ...{
    id: '1',
    folder: '2026-11-23T07-00-34-181Z-stream-load',
    experiment: 'stream-load',
    title: 'Stream load',
  },
  ...{ state: 'finished', startedAt: '2026-11-23T07:00:34.181Z', endedAt: null, verdict: 'PASS', rows: 3 },
  reason:
    '4 streams ran without loss; the limit was not reached: 4 streams were the most tested, and much more that is worth a sentence',
  ...{ command: '', hosts: ['render-1', 'display-1'], notes: [], recordedIn: '', streamNames: [] },
  ...{ sources: ['white-line', 'noise'], formats: ['1280x720@60'], streams: 4 },
};
const other: RunSummary = {
  ...{ ...run, folder: 'a', experiment: 'link', reason: 'r'.repeat(10_000), hosts: [] },
  ...{ sources: [], formats: [], streams: 0, verdict: null, state: 'interrupted' },
};

function shownBy(columns: number | undefined): string[] {
  const screen = { isTTY: columns !== undefined, columns, write: () => undefined };
  const own = { stdout: screen, stderr: screen, on: () => 0, off: () => 0, exit: () => undefined };
  return withOwnProcess(own, () => runsTable([run, other]));
}

test.each([80, 100, 132])('a terminal of %i columns has no wrapped line', (columns) => {
  const lines = shownBy(columns);
  expect(Math.max(...lines.map((line) => line.length))).toBe(columns);
  expect(lines[1]).toMatch(/stream-load {2}PASS {9}2026-11-23T07-00-34-181Z-stream-load$/);
  expect(lines[2]).toContain('white-line, noise 1280x720@60, 4 streams, render-1, display-1: 4 str');
});

test('a file or another program gets each sentence whole, and a run without streams only that', () => {
  const lines = shownBy(undefined);
  expect(lines[2]).toBe(`  white-line, noise 1280x720@60, 4 streams, render-1, display-1: ${run.reason}`);
  expect(lines[4]).toBe(`  ${other.reason}`);
});

test('where none is found it says so', () => {
  expect(runsTable([])).toEqual(['No matching runs.']);
});
