import { expect, test } from 'vitest';
import { reasonOf } from '../../facts/reason-words';
import type { Verdict } from '../../facts/verdict';
import { thresholdProfiles } from '../../protocol/thresholds';
import { changedRow, changedStream, exampleRow, exampleRun } from '../../testing/example-run';
import { compareRuns } from './compare';
import { notComparable, notJudgedOf, regressionsOf } from './regressions';

/** A watch of ten rows of one stream. */
function watched(id: string, rowsOf: (row: number) => { verdict: Verdict; lost?: number }) {
  const rows = Array.from({ length: 10 }, (_, index) => {
    const { verdict, lost = 0 } = rowsOf(index);
    const reason = verdict === 'INVALID' ? [reasonOf('process-stopped', { role: 'receiving' })] : [];
    const row = changedRow(exampleRow(index + 1), { verdict, figures: { framesDropped: lost } });
    return { ...changedStream(row, { framesDropped: lost }, verdict), reason };
  });
  return { ...exampleRun(rows), id, experiment: 'watch' };
}

const exitCode = (...runs: ReturnType<typeof watched>[]): number => {
  const comparison = compareRuns(runs);
  if (regressionsOf(comparison).length > 0) return 1;
  return notComparable(comparison, String) === null && notJudgedOf(comparison).length === 0 ? 0 : 5;
};

test('a watch of which one row of ten was judged is no watch as good as one that passed', () => {
  const whole = watched('a', () => ({ verdict: 'PASS' }));
  expect(exitCode(whole, whole)).toBe(0);
  const hardly = watched('b', (row) => (row === 0 ? { verdict: 'PASS' } : { verdict: 'INVALID', lost: 500 }));
  expect(exitCode(whole, hardly)).toBe(5);
});

test('a run that lost more is not better for being judged by a milder profile', () => {
  const strict = {
    ...watched('a', (row) => (row === 0 ? { verdict: 'FAIL', lost: 1 } : { verdict: 'PASS' })),
    thresholds: thresholdProfiles.flawless,
  };
  const mild = {
    ...watched('b', () => ({ verdict: 'WARN', lost: 1 })),
    thresholds: thresholdProfiles.study,
  };
  const { steps } = compareRuns([strict, mild]);
  expect(steps[0]?.standings[1]).not.toBe('better');
});
