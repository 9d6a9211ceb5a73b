import { expect, test } from 'vitest';
import type { Verdict } from '../../protocol/verdict';
import { changedRow, exampleRow } from '../../testing/example-run';
import { RowsVerdict } from './rows-verdict';

test('the reason of a run is that of the row that decides its verdict', () => {
  const judged = new RowsVerdict();
  const add = (streams: number, verdict: Verdict, reason: string): void =>
    judged.add(changedRow(exampleRow(judged.rows), { streams, verdict, reason }));
  add(4, 'FAIL', 'the sender missed 25 frames');
  add(3, 'INVALID', 'the hypervisor took 31 % of the CPU away');
  expect(judged.verdict).toBe('FAIL');
  expect(judged.reason('no frame lost')).toBe(
    'with 4 streams: the sender missed 25 frames; 1 other row did not pass (1 INVALID)',
  );
});
