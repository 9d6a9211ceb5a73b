import { expect, test } from 'vitest';
import { wordsOf } from '../../facts/reason-words';
import type { ClosedRow } from '../../facts/row';
import { exampleRow } from '../../testing/example-run';
import { sentence } from '../../testing/sentence';
import { withFailTime } from './fail-time';

const lost = '1.020 % of the datagrams lost (FAIL above 0.1 %)';
const row: ClosedRow = {
  ...{ index: 0, label: 'udp', step: {}, figures: { measuredSeconds: 2 }, subjects: [], load: {} },
  ...{ from: '2026-11-20T10:00:00.250Z', to: '2026-11-20T10:00:02.250Z', notMeasured: {} },
  ...{ verdict: 'FAIL', reason: sentence(lost) },
};

test('a FAIL of a table reports when it was measured, and nothing else does', () => {
  expect(wordsOf(withFailTime(row).reason)).toBe(`${lost} (measured from 10:00:00.250 to 10:00:02.250 UTC)`);
  const passed: ClosedRow = { ...row, verdict: 'WARN' };
  expect(withFailTime(passed)).toBe(passed);
  const ofStreams = { ...exampleRow(), verdict: 'FAIL' as const };
  expect(withFailTime(ofStreams)).toBe(ofStreams);
});
