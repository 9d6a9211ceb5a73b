import type { Metric } from '../../app/facts/metrics/registry';
import { scalarOf } from '../../app/facts/row-figures';
import type { WithFigures } from './metric-cell';

/** Figures that a row does not have for one reason. */
export interface Absent {
  headings: string[];
  reason: string;
}

/** Why a row has a dash for some of these figures: each reason once, with all that it is the reason of. */
export function absentOf(row: WithFigures, metrics: readonly Metric[]): Absent[] {
  const byReason = new Map<string, Set<string>>();
  for (const { id, heading } of metrics) {
    const reason = row.notMeasured[id];
    if (reason === undefined || scalarOf(row, id) !== null) continue;
    byReason.set(reason, (byReason.get(reason) ?? new Set()).add(heading));
  }
  return [...byReason].map(([reason, headings]) => ({ headings: [...headings], reason }));
}
