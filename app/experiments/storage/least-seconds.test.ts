import { expect, test } from 'vitest';
import { reasonOf } from '../../facts/reason-words';
import type { ClosedRow } from '../../facts/row';
import { exampleRow } from '../../testing/example-run';
import { storageParameters } from './declaration';
import { leastStorageSeconds } from './least-seconds';

const parameters = storageParameters.parse({ repeats: 4, holdSeconds: 10 });

function least(verdict: ClosedRow['verdict'], done?: number): number {
  const reason = done === undefined ? [] : [reasonOf('passes-short', { done, wanted: 4 })];
  return leastStorageSeconds({ ...exampleRow(), step: {}, verdict, reason }, parameters);
}

test('a row takes its passes at least, and one that is INVALID takes none', () => {
  expect((['PASS', 'WARN', 'FAIL', 'INVALID'] as const).map((verdict) => least(verdict))).toEqual([
    36, 36, 36, 0,
  ]);
});

test('of a row that was cut short its passes count, and one of them at least', () => {
  expect([3, 0].map((done) => least('WARN', done))).toEqual([27, 9]);
});
