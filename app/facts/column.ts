/**
 * What a column of an experiment's table is for. step: what was varied, such as the number of streams; repeat: which repeat
 * of that step the row is; measure: what was measured; spread: how much repeats of a measure differ; count: a number of
 * events; verdict: a judgement in words, beside the row's own, which every table shows last.
 */
export type ColumnRole = 'step' | 'repeat' | 'measure' | 'spread' | 'count' | 'verdict';

/** A column: a figure of the registry of metrics, which has its heading, unit and digits. */
export interface Column {
  metric: string;
  role: ColumnRole;
  /** Of a step: what is measured differs with it, so that rows are compared only where it is the same. */
  isKind?: true;
}

export function columnsOf(role: ColumnRole, ...metrics: string[]): Column[] {
  return metrics.map((metric) => ({ metric, role }));
}

/** On which of several machines a row was measured; rows of a run of one machine do not have it. */
export const machineColumn: Column = { metric: 'machine', role: 'step' };

/** Steps with which what is measured differs. */
export function kindsOf(...metrics: readonly string[]): Column[] {
  return columnsOf('step', ...metrics).map((column) => ({ ...column, isKind: true }));
}
