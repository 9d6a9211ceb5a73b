import type { RunRow } from '../../protocol/version-1/row';

/**
 * A row of a table is judged as a whole, so its FAIL tells when the whole was measured, behind the rule that its reason
 * names. Rows of streams tell when their rule was broken.
 */
export function withFailTime(row: RunRow): RunRow {
  if (row.kind !== 'table' || row.verdict !== 'FAIL') return row;
  const [from, to] = [row.startedAt, row.endedAt].map((at) => at.slice(11, 23));
  return { ...row, reason: `${row.reason} (measured from ${from} to ${to} UTC)` };
}
