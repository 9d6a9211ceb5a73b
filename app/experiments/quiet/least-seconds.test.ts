import { expect, test } from 'vitest';
import type { ClosedRow } from '../../facts/row';
import { exampleRow } from '../../testing/example-run';
import { quietParameters } from './declaration';
import { leastQuietSeconds } from './least-seconds';

function row(rateHz: number | null, verdict: ClosedRow['verdict'] = 'PASS'): ClosedRow {
  return { ...exampleRow(), step: {}, verdict, figures: { measuredSeconds: 0, 'quiet.rateHz': rateHz } };
}

test('a row of wake-ups takes its time at least, that of the scores and one that is INVALID take none', () => {
  const parameters = quietParameters.parse({ ratesHz: [60, 1000], holdSeconds: 20 });
  expect(leastQuietSeconds(row(60), parameters)).toBeCloseTo(17.9775, 9);
  // A rate that was not asked for makes it no shorter.
  expect(leastQuietSeconds(row(0.01, 'FAIL'), parameters)).toBeCloseTo(17.9775, 9);
  expect(leastQuietSeconds(row(null), parameters)).toBe(0);
  expect(leastQuietSeconds(row(60, 'INVALID'), parameters)).toBe(0);
});

test('one slot, which is over at once, takes none', () => {
  expect(leastQuietSeconds(row(1), quietParameters.parse({ ratesHz: [1], holdSeconds: 1 }))).toBe(0);
});
