import { sentence, wordsOf } from '../../protocol/fact';
import type { ClosedRow } from '../../protocol/row';
import { isOfStreams } from '../../protocol/row-figures';

/**
 * A row of a table is judged as a whole, so its FAIL tells when the whole was measured, behind the rule that its reason
 * names. Rows of streams tell when their rule was broken.
 */
export function withFailTime(row: ClosedRow): ClosedRow {
  if (isOfStreams(row) || row.verdict !== 'FAIL') return row;
  const [from, to] = [row.from, row.to].map((at) => at.slice(11, 23));
  return { ...row, reason: sentence(`${wordsOf(row.reason)} (measured from ${from} to ${to} UTC)`) };
}
