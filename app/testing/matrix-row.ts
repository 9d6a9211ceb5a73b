import { notMeasured, type Pair, unmeasuredRow } from '../experiments/matrix/pair-row';
import { reasonOf } from '../facts/reason-words';
import type { ClosedRow } from '../facts/row';
import type { Verdict } from '../facts/verdict';

const at = '2026-11-29T08:00:00.000Z';

/** Without a share that was lost, the pair could not be measured. */
export type MeasuredPair = [verdict: Verdict, lostPercent: number | null, bitrateMbps?: number];

/** The row of one pair of a matrix. */
export function matrixRow(
  pair: Pair,
  index: number,
  ...[verdict, lostPercent, bitrateMbps = 100]: MeasuredPair
): ClosedRow {
  const made = unmeasuredRow(pair, index, at, notMeasured('its agent is not connected'));
  if (lostPercent === null) return made;
  const figures = { measuredSeconds: 3, 'matrix.lostPercent': lostPercent, bitrateMbps };
  return { ...made, verdict, reason: [reasonOf('no-frame-lost')], notMeasured: {}, figures };
}
