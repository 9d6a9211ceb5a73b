import { expect, test } from 'vitest';
import type { StreamsRow } from '../../facts/stream-row';
import type { Verdict } from '../../facts/verdict';
import { changedRow, exampleRow } from '../../testing/example-run';
import { medianOf, repeatRow, summaryRow } from './repeats';
import { streamLoadVerdict } from './verdict';

const plan = { repeats: 5, spreadPercent: 5 };

function judged(verdicts: Verdict[]) {
  const repeats = verdicts.map((verdict, index) => {
    const lost = verdict === 'PASS' ? 0 : 500;
    const row = changedRow(exampleRow(index + 1), { verdict, streams: 1, figures: { framesDropped: lost } });
    return repeatRow(row, index + 1, plan);
  });
  const baseline = changedRow(exampleRow(0), { streams: 0, verdict: 'PASS', subjects: [] });
  const median = medianOf(repeats) as StreamsRow;
  const rows = [baseline, ...repeats, summaryRow(median, repeats, 6)];
  return streamLoadVerdict(rows, { goal: 1, maxStreams: 1 });
}

test('repeats that did not pass are named, and the run is WARN', () => {
  expect(judged(['PASS', 'PASS', 'PASS', 'FAIL', 'FAIL'])).toEqual({
    verdict: 'WARN',
    reason: expect.stringContaining('2 of 5 repeats did not pass (2 FAIL)'),
  });
});

test('those that lost 500 frames each and are INVALID are not passed over in silence', () => {
  const { verdict, reason } = judged(['PASS', 'INVALID', 'INVALID', 'INVALID', 'INVALID']);
  expect(reason).toMatch(/4 of 5 repeats did not pass \(4 INVALID\)/);
  expect(verdict).not.toBe('PASS');
});
