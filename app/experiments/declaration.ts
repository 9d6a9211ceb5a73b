import type { z } from 'zod';
import type { Column } from '../facts/column';
import { type Metric, metricFor, metricOf } from '../facts/metrics/registry';
import type { Run } from '../facts/run';
import type { Verdict } from '../facts/verdict';
import type { Worse } from '../facts/worst-first';

export type VerdictWords = Readonly<Record<Verdict, string>>;

/**
 * Figures of one unit. steps: numbers over the rows of a run; series: pairs of x and y, a line for each row; curves: a
 * number over one of several steps, a line for all that rows set beside it; histogram: how
 * often which length occurred, row by row.
 */
export interface ChartDeclaration {
  kind?: 'steps' | 'series' | 'curves' | 'histogram';
  title: string;
  /** Of curves: the step along the x axis. */
  over?: string;
  /** Of curves: the step that has a chart for each of its values. */
  each?: string;
  /** Of curves: figures of the same unit, drawn dashed: the least and the most of what the figure is the middle of. */
  band?: { least: string; most: string };
  /** Of curves: a figure of the same unit, drawn dotted: what the figure would be if nothing else stood in its way. */
  ideal?: string;
  /** At most three, of curves one: more lines cannot be distinguished. */
  figures: readonly { metric: string; label: string }[];
}

/** Figures that a study published, for a reader to hold beside those of a run; nothing is computed from them. */
export interface PublishedFigures {
  /** What they were measured on. */
  title: string;
  /** A figure for each column; or one figure, over the values of a step. */
  columns: { metrics: readonly string[]; decimals?: 'as published' } | PublishedSteps;
  /** A limit is a figure for which the study says “more than” or “less than”. */
  rows: readonly { label: string; values: readonly number[]; limit?: '>' | '<' | '≤' | '≥' }[];
}

export interface PublishedSteps {
  metric: string;
  over: string;
  at: readonly number[];
  /** Decimals of the study, which may have fewer than the metric. */
  digits: number;
}

/** What of an experiment its agent fills in on another machine: folders to write in, or a movie, as its own user gave them. */
export type PlaceKind = 'folders' | 'movie';

/** For rows of pairs: the steps that name the two ends, and the figures that say how bad a pair is. */
export interface HeatMapDeclaration extends Worse {
  from: string;
  to: string;
  /** Further figures that are said of a pair. */
  beside: readonly string[];
}

/** How an experiment of one machine runs on others of the fleet: it has the parameter `on`. */
export interface ElsewhereDeclaration<Schema extends z.ZodObject = z.ZodObject> {
  /** What a console may set there: nothing that names a path or a card of the agent's machine. */
  parameters: z.ZodObject;
  /** Parameters that the agent fills in. Of a movie, a console gives the name below one of the agent's folders. */
  places: Readonly<Record<string, PlaceKind>>;
  /** What may take time beside `expectedSeconds` on a slow or a large machine, and without a word, at most; s. Default: none. */
  silentSeconds?(parameters: z.output<Schema>): number;
}

/** A run that measured fewer streams than it was set to. */
export interface StoppedEarly {
  reached: number;
  maxStreams: number;
  /** As half a sentence; empty: no row says it, such as where the run was stopped. */
  why: string;
}

/**
 * What an experiment says of itself, for forms, command line, plans, tables, charts and the report; what it does lives in
 * the other files of its folder.
 */
export interface ExperimentDeclaration<Schema extends z.ZodObject = z.ZodObject> {
  /** The name of its folder. */
  id: string;
  /** Lists show the lowest first. */
  order: number;
  title: string;
  /** One paragraph. */
  purpose: string;
  /** The study or standard it follows. */
  study: string;
  /** Defaults, help texts (`describe`) and checks of the parameters. A time in seconds has a name on `Seconds`. */
  parameters: Schema;
  /** Three to six of them, which nearly every run sets; forms fold the others, and help lists them last, as advanced. */
  basic: readonly (keyof z.output<Schema> & string)[];
  /** Absent: it does not run on other machines as a whole. */
  elsewhere?: ElsewhereDeclaration<Schema>;
  /** Names of parameters that earlier versions recorded, to the present ones. A plan or a flag takes the present name alone. */
  renamedParameters?: Readonly<Record<string, string>>;
  /** Of a row's table, in order. */
  columns: readonly Column[];
  /** Metrics of those columns that a terminal has room for; all of them where it is absent. */
  terminal?: readonly string[];
  /** Each row is of a pair: a map shows all of them, and tables have the worst first. */
  heatMap?: HeatMapDeclaration;
  /** Of its rows; none if a row is not one step of many. */
  charts: readonly ChartDeclaration[];
  published?: PublishedFigures;
  /** What each verdict says of a run. */
  verdictWords: VerdictWords;
  /** About how long a run takes that comes to its end, s; null if it is known in the run alone. */
  expectedSeconds(parameters: z.output<Schema>): number | null;
  /** Why it is null, where it can be. */
  whyUnknownSeconds?: string;
  /** Null: a run of it measured all that it was set to. Absent: the experiment measures all of it, or is stopped. */
  stoppedEarly?(run: Pick<Run, 'parameters' | 'rows' | 'state'>): StoppedEarly | null;
}

/** What INVALID says. */
export function nothingSaid(what: string): string {
  return `The instrument itself could not keep up, so nothing is proved about ${what}.`;
}

/** From a declared figure to the spread of its repeats, where that is declared too. */
export function spreadsOf(columns: readonly Column[]): Map<string, Metric> {
  const declared = new Set(columns.map(({ metric }) => metric));
  return new Map(
    columns.flatMap(({ metric }): [string, Metric][] => {
      const spread = metricFor(metric);
      return spread.spreadOf !== undefined && declared.has(spread.spreadOf)
        ? [[spread.spreadOf, spread]]
        : [];
    }),
  );
}

/** @param figures label in the legend → metric */
export function chartOf(title: string, figures: Readonly<Record<string, string>>): ChartDeclaration {
  return { title, figures: Object.entries(figures).map(([label, metric]) => ({ label, metric })) };
}

/** A chart of one figure, named by its heading. */
export function chartsOfEach(...metrics: string[]): ChartDeclaration[] {
  return metrics.map((metric) => {
    const { heading } = metricOf(metric);
    return { title: heading, figures: [{ metric, label: heading }] };
  });
}
