import { nmosScaleDeclaration } from '../../../protocol/experiments/nmos-scale/declaration';
import type { ClosedRow } from '../../../protocol/row';

/** The row, with the reason why it lacks the figures of other parts of the run. */
export function ofOnePart(row: ClosedRow): ClosedRow {
  const absent = nmosScaleDeclaration.columns
    .filter(({ metric, role }) => role !== 'step' && row.figures[metric] === undefined)
    .map(({ metric }) => [metric, 'only other rows measure this'] as const);
  return { ...row, notMeasured: { ...Object.fromEntries(absent), ...row.notMeasured } };
}
