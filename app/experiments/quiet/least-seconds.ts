import { endedAfter, leastByOurClock } from '../../engine/experiment/elsewhere/by-our-clock';
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

/** Each rate as often as it was asked for, and the scores. */
export function quietLacks(rows: readonly ClosedRow[], { ratesHz, repeats }: QuietParameters): string | null {
  const ofRate = (rateHz: number | null): number =>
    rows.filter((row) => numberOf(row, 'quiet.rateHz') === rateHz).length;
  const there = ratesHz.reduce(
    (sum, rateHz) => sum + Math.min(repeats, ofRate(rateHz)),
    Math.min(1, ofRate(null)),
  );
  return endedAfter(there, ratesHz.length * repeats + 1);
}
