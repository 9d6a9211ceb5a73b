import { leastByOurClock } from '../../engine/experiment/elsewhere/by-our-clock';
import type { ClosedRow } from '../../facts/row';
import { numberOf } from '../../facts/row-figures';
import type { QuietParameters } from './declaration';

/** Its slots are a whole number, rounded, and the first one is over at once. */
const mostSlotsLess = 1.5;

/** What measuring such a row takes at least; that of the scores is over when the cores are done. */
export function leastQuietSeconds(row: ClosedRow, { ratesHz, holdSeconds }: QuietParameters): number {
  if (row.verdict === 'INVALID' || numberOf(row, 'quiet.rateHz') === null) return 0;
  return leastByOurClock(Math.max(0, holdSeconds - mostSlotsLess / Math.min(...ratesHz)));
}
