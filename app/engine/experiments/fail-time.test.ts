import { expect, test } from 'vitest';
import type { TableRow } from '../../protocol/version-1/row';
import { exampleRow } from '../../testing/example-run';
import { withFailTime } from './fail-time';

const row: TableRow = {
  ...{ kind: 'table', row: 0, label: 'udp', measuredSeconds: 2, values: {}, notMeasured: {}, details: {} },
  ...{ startedAt: '2026-11-20T10:00:00.250Z', endedAt: '2026-11-20T10:00:02.250Z' },
  ...{ verdict: 'FAIL', reason: '1.020 % of the datagrams lost (0.1 % accepted)' },
};

test('a FAIL of a table tells when it was measured, and nothing else does', () => {
  expect(withFailTime(row).reason).toBe(`${row.reason} (measured from 10:00:00.250 to 10:00:02.250 UTC)`);
  const passed: TableRow = { ...row, verdict: 'WARN' };
  expect(withFailTime(passed)).toBe(passed);
  const ofStreams = { ...exampleRow(), verdict: 'FAIL' as const };
  expect(withFailTime(ofStreams)).toBe(ofStreams);
});
