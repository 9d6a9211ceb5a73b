import type { RunVerdict } from '../../engine/experiment/experiment';
import { decidingRow, othersTexts, worstVerdictOf } from '../../engine/streams/rows/deciding-row';
import { wordsOf } from '../../facts/reason-words';
import type { ClosedRow } from '../../facts/row';

/** More reasons than these are no summary: the rows have them. */
const mostReasons = 3;

/** The verdict and reason of the worst row; if all rows pass, the reasons of a few rows, or the names of many. */
export function nmosScaleVerdict(rows: readonly ClosedRow[]): RunVerdict {
  if (rows.length === 0) return { verdict: 'INVALID', reason: 'no row was measured' };
  const row = decidingRow(rows);
  if (!row && rows.length > mostReasons) {
    const labels = rows.map(({ label }) => label).join(', ');
    return { verdict: worstVerdictOf(rows), reason: `all ${rows.length} rows passed: ${labels}` };
  }
  const said = row ? [row] : rows;
  const texts = said.map(({ label, reason }) => `${label}: ${wordsOf(reason)}`);
  return {
    verdict: worstVerdictOf(rows),
    reason: [...texts, ...othersTexts(rows, ...said)].join('; '),
  };
}
