import { nmosScaleDeclaration } from '../../../protocol/experiments/nmos-scale/declaration';
import type { ClosedRow } from '../../../protocol/row';

/** A row that says of the figures of other parts of a run why it does not have them. */
export function ofOnePart(row: ClosedRow): ClosedRow {
  const absent = nmosScaleDeclaration.columns
    .filter(({ metric, role }) => role !== 'step' && row.figures[metric] === undefined)
    .map(({ metric }) => [metric, 'it is a figure of other rows'] as const);
  return { ...row, notMeasured: { ...Object.fromEntries(absent), ...row.notMeasured } };
}
