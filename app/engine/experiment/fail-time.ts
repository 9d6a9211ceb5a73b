import type { ClosedRow } from '../../facts/row';
import { isOfStreams } from '../../facts/row-figures';

/**
 * A row of a table is judged as a whole, so its FAIL says when the whole was measured, behind the rule that its reason
 * names. Rows of streams say when their rule was broken.
 */
export function withFailTime(row: ClosedRow): ClosedRow {
  if (isOfStreams(row) || row.verdict !== 'FAIL') return row;
  const whole = { measuredFrom: row.from, measuredTo: row.to };
  const reason = row.reason.map((fact, index) =>
    index === row.reason.length - 1 ? { ...fact, data: { ...fact.data, ...whole } } : fact,
  );
  return { ...row, reason };
}
