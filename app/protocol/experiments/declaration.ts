import type { z } from 'zod';

/**
 * What a column of an experiment's table is for. step: what was varied, such as the number of streams; measure: what was
 * measured; spread: how much repeats of a measure differ; count: a number of events; verdict: a judgement in words, beside
 * the row's own, which every table shows last.
 */
export type ColumnRole = 'step' | 'measure' | 'spread' | 'count' | 'verdict';

/** A column: a figure of the registry of metrics, which has its heading, unit and digits. */
export interface Column {
  metric: string;
  role: ColumnRole;
}

/**
 * What an experiment says of itself, for forms, command line, plans, tables, charts and the report; what it does lives in
 * `app/engine/experiments/<id>`.
 */
export interface ExperimentDeclaration<Schema extends z.ZodObject = z.ZodObject> {
  id: string;
  title: string;
  /** One paragraph. */
  purpose: string;
  /** The study or standard it follows. */
  study: string;
  /** Defaults, help texts (`describe`) and checks of the parameters. A time in seconds has a name on `Seconds`. */
  parameters: Schema;
  /** Of a row's table, in order. */
  columns: readonly Column[];
  /** About how long a run takes that comes to its end, s; null where only the run itself can tell. */
  expectedSeconds(parameters: z.output<Schema>): number | null;
}

export function columnsOf(role: ColumnRole, ...metrics: string[]): Column[] {
  return metrics.map((metric) => ({ metric, role }));
}
