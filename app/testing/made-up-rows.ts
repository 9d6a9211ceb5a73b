import { declarations } from '../experiments/declarations';
import type { Figures, Scalar } from '../facts/figure';
import type { ClosedRow } from '../facts/row';
import { sentence } from './sentence';

interface TableRowChanges extends Partial<Omit<ClosedRow, 'step' | 'figures' | 'reason'>> {
  reason?: string;
}

/** A row of ten seconds of an experiment that follows no streams, with what was set and what was measured. */
export function tableRow(
  experiment: string,
  values: Readonly<Record<string, Scalar>>,
  { reason = '', ...changes }: TableRowChanges = {},
): ClosedRow {
  return {
    ...{ index: 0, label: '', from: '2026-11-21T19:00:00.000Z', to: '2026-11-21T19:00:10.000Z' },
    ...{ verdict: 'PASS', reason: sentence(reason), subjects: [], load: {}, notMeasured: {} },
    ...{ ...setApart(experiment, { measuredSeconds: 10, ...values }), ...changes },
  };
}

/** What its table declares as a step was set; all else was measured. */
export function setApart(
  experiment: string,
  values: Readonly<Record<string, Scalar>>,
): { step: Record<string, Scalar>; figures: Figures } {
  const columns = declarations.find(({ id }) => id === experiment)?.columns ?? [];
  const steps = new Set(columns.filter(({ role }) => role === 'step').map(({ metric }) => metric));
  const entries = Object.entries(values);
  return {
    step: Object.fromEntries(entries.filter(([id]) => steps.has(id))),
    figures: Object.fromEntries(entries.filter(([id]) => !steps.has(id))),
  };
}
