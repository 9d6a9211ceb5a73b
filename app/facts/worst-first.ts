import type { Row } from './row';
import { numberOf } from './row-figures';
import { verdicts } from './verdict';

/** Figures by which rows of one verdict are ordered. */
export interface Worse {
  lostPercent: string;
  rateMbps: string;
}

/**
 * Rows with the worst first: by their verdict, then by the share that they lost, then by how little went through. What was not measured
 * may be the worst of its verdict, but for a row that was not begun: an earlier one has the cause. A row that is still open comes last.
 */
export function worstFirst<Kind extends Row>(
  rows: readonly Kind[],
  { lostPercent, rateMbps }: Worse,
): readonly Kind[] {
  const lostOf = (row: Row): number => numberOf(row, lostPercent) ?? Number.POSITIVE_INFINITY;
  const rateOf = (row: Row): number => numberOf(row, rateMbps) ?? Number.NEGATIVE_INFINITY;
  return [...rows].sort(
    (one, other) =>
      rank(other) - rank(one) ||
      Number(isBegun(other)) - Number(isBegun(one)) ||
      compare(lostOf(other), lostOf(one)) ||
      compare(rateOf(one), rateOf(other)),
  );
}

function rank({ verdict }: Row): number {
  return verdict === null ? -1 : verdicts.indexOf(verdict);
}

function isBegun({ from, to }: Row): boolean {
  return from !== to;
}

/** Two infinities are equal. */
function compare(one: number, other: number): number {
  return one === other ? 0 : one - other;
}
