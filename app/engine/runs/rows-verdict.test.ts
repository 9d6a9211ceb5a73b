import { expect, test } from 'vitest';
import type { Verdict } from '../../facts/verdict';
import { changedRow, exampleRow } from '../../testing/example-run';
import { RowsVerdict } from './rows-verdict';

test('the reason of a run is that of the row that decides its verdict', () => {
  const judged = new RowsVerdict();
  const add = (streams: number, verdict: Verdict, reason: string): void =>
    judged.add(changedRow(exampleRow(judged.rows), { streams, verdict, reason }));
  add(4, 'FAIL', 'the sender missed 25 frames');
  add(3, 'INVALID', 'the hypervisor took 31 % of the CPU away');
  expect(judged.verdict).toBe('FAIL');
  expect(judged.reason('2 rows')).toBe(
    'row 0 (4 streams): the sender missed 25 frames; 1 other row was INVALID',
  );
});

test('outages of all rows are counted, and their seconds added', () => {
  const judged = new RowsVerdict();
  const outage = {
    ...{ startedAt: exampleRow().from, endedAt: exampleRow().to, seconds: 10, framesEstimated: 600 },
    text: 'no picture for 10.0 s',
  };
  for (const index of [1, 2]) {
    const row = changedRow(exampleRow(index), { verdict: 'FAIL', reason: 'no picture for 10.0 s' });
    judged.add({ ...row, subjects: row.subjects.map((one) => ({ ...one, outages: [outage] })) });
    // The reason of one row alone has said it.
    if (index === 1) expect(judged.reason('rows')).toBe('row 1 (1 stream): no picture for 10.0 s');
  }
  expect(judged.reason('rows')).toMatch(
    /; all rows: 2 outages, 20\.0 s together, about 1200 frames \(an estimate\)$/,
  );
  expect(judged.reason('rows')).toMatch(/^row 1 \(1 stream\): no picture for 10\.0 s; 1 other row was FAIL/);
});

test('a damaged movie stands in the sentence of a run whose rows lost nothing (V15)', () => {
  const judged = new RowsVerdict();
  const reason = '4 pictures could not be read or decoded, the movie is damaged';
  judged.add(exampleRow(1));
  judged.add(changedRow(exampleRow(2), { verdict: 'WARN', reason, figures: { framesLateSourceDamaged: 4 } }));
  expect([judged.verdict, judged.reason('2 rows')]).toEqual(['WARN', `row 2 (1 stream): ${reason}`]);
});

test.each([
  ['frame-code', '1 row, no frame lost'],
  // By timestamps it is not known what was sent, but only that nothing is missing in what came.
  ['timestamps', '1 row, no frame missing'],
] as const)('rows that passed by %s', (method, reason) => {
  const judged = new RowsVerdict();
  const row = exampleRow(1);
  const subjects = row.subjects.map((one) => ({ ...one, figures: { ...one.figures, method } }));
  judged.add({ ...row, subjects });
  expect(judged.reason('1 row')).toBe(reason);
});

test('one row of one stream says what was lost once, also beside a row without a stream', () => {
  const judged = new RowsVerdict();
  const lossy = { framesSenderMissed: 118 };
  const reason = 'the sender missed 118 frames';
  judged.add(changedRow(exampleRow(0), { streams: 0, verdict: 'WARN', reason: 'the machine was busy' }));
  const row = changedRow(exampleRow(1), { streams: 1, verdict: 'FAIL', reason });
  judged.add({
    ...row,
    subjects: row.subjects.map((one) => ({ ...one, figures: { ...one.figures, ...lossy } })),
  });
  expect(judged.reason('2 rows')).toBe(`row 1 (1 stream): ${reason}; 1 other row was WARN`);
  judged.add(exampleRow(2));
  expect(judged.reason('3 rows')).toMatch(/; all rows: 118 frames missed by the sender$/);
});
