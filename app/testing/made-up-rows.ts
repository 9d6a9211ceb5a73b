import { declarations } from '../experiments/declarations';
import type { Fact } from '../facts/fact';
import type { Figures, Scalar, Step } from '../facts/figure';
import type { ClosedRow, Row, Subject } from '../facts/row';
import { sentence } from './sentence';

const start = Date.parse('2026-11-23T08:00:00.000Z');

const at = (seconds: number): string => new Date(start + seconds * 1000).toISOString();

/** The time of a row of ten seconds, on a machine of which nothing is known. */
export function frameOf(index: number) {
  const time = { from: at(10 * index), to: at(10 * index + 10), measuredSeconds: 10 };
  return { index, ...time, guards: [], cpuPercent: null };
}

interface MadeUpRow {
  step?: Step;
  figures: Figures;
  subjects?: Subject[];
  load?: Row['load'];
  reason?: Fact[];
  notMeasured?: Record<string, string>;
}

/** A row of ten seconds of any experiment. */
export function madeUpRow(index: number, made: MadeUpRow): Row {
  const { from, to } = frameOf(index);
  return {
    ...{ index, from, to, label: '', verdict: 'PASS', reason: [], subjects: [], notMeasured: {}, step: {} },
    load: { 'rack-04': {} },
    ...made,
    figures: { measuredSeconds: 10, ...made.figures },
  };
}

interface TableRowChanges extends Partial<Omit<ClosedRow, 'figures' | 'reason'>> {
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
