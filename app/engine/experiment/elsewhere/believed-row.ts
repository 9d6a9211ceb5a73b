import { reasonOf } from '../../../facts/reason-words';
import type { ClosedRow } from '../../../facts/row';
import { figureOf } from '../../../facts/row-figures';
import { worseVerdict } from '../../../facts/verdict';
import type { Thresholds } from '../../../protocol/thresholds';
import type { Experiment } from '../experiment';

/** The verdict of another machine's row, held against its figures: where it is better than they are, the row is INVALID. */
export function believedRow(
  { declaration, bestVerdict }: Pick<Experiment, 'declaration' | 'bestVerdict'>,
  machine: string,
  row: ClosedRow,
  thresholds: Thresholds,
): ClosedRow {
  const { verdict } = row;
  if (verdict !== 'PASS' && verdict !== 'WARN') return row;
  const measured = declaration.columns.filter(({ role }) => role !== 'step' && role !== 'repeat');
  if (verdict === 'PASS' && measured.every(({ metric }) => figureOf(row, metric) === null))
    return { ...row, verdict: 'INVALID', reason: [reasonOf('pass-without-figures', { machine })] };
  const best = bestVerdict?.(row, thresholds) ?? verdict;
  if (worseVerdict(verdict, best) === verdict) return row;
  return {
    ...row,
    verdict: 'INVALID',
    reason: [reasonOf('verdict-unlike-figures', { machine, verdict, best })],
  };
}
