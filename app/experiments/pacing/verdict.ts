import type { RunVerdict } from '../../engine/experiment/experiment';
import { decidingRow, othersTexts, worstVerdictOf } from '../../engine/streams/rows/deciding-row';
import { wordsOf } from '../../facts/reason-words';
import type { ClosedRow } from '../../facts/row';
import { numberOf } from '../../facts/row-figures';

/** That of the worst row, in its words; where all pass, in those of the row whose intervals vary least. */
export function pacingVerdict(rows: readonly ClosedRow[]): RunVerdict {
  const row = decidingRow(rows) ?? steadiestOf(rows);
  if (!row) return { verdict: 'INVALID', reason: 'no packet was measured' };
  const texts = [`${row.label}: ${wordsOf(row.reason)}`, ...othersTexts(rows, row)];
  return { verdict: worstVerdictOf(rows), reason: texts.join('; ') };
}

function steadiestOf(rows: readonly ClosedRow[]): ClosedRow | undefined {
  const spread = (row: ClosedRow): number =>
    numberOf(row, 'pacing.interval.iqrNs') ?? Number.POSITIVE_INFINITY;
  const [steadiest] = [...rows].sort((one, other) => spread(one) - spread(other));
  return steadiest;
}
