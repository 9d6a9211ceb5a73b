import type { ClosedRow } from '../../facts/row';
import { nmosScaleDeclaration } from './declaration';

export const processFailed = 'a process of the run failed';

/** The row, with the reason why it lacks figures: usually other parts of the run have them. */
export function ofOnePart(row: ClosedRow, why = 'only other rows measure this'): ClosedRow {
  const absent = nmosScaleDeclaration.columns
    .filter(({ metric, role }) => role !== 'step' && row.figures[metric] === undefined)
    .map(({ metric }) => [metric, why] as const);
  return { ...row, notMeasured: { ...Object.fromEntries(absent), ...row.notMeasured } };
}
