import type { Fact } from '../fact';

export type Direction = 'lower' | 'higher' | 'none';

/**
 * How a row's figure follows from those of its streams. sum: 0 for no stream. Null if one stream's is null, except `of-known`: over the
 * streams for which it is known. farthest: the one farthest from 0, with its sign. merge: all their times together.
 */
export type Aggregate =
  | ('sum' | 'largest' | 'smallest' | 'merge')
  | ('sum-of-known' | 'largest-of-known' | 'farthest-of-known');

/** What figures are about whose columns stand together, whatever their roles in a table are. */
export type MetricGroup = 'senderAll' | 'receiverAll' | 'sender' | 'receiver' | 'frames' | 'lost' | 'time';

export interface Metric<Id extends string = string> {
  id: Id;
  /** Short, for the head of a column. */
  heading: string;
  /** Without one, a column stands with those of its role. */
  group?: MetricGroup;
  /** The heading below that of the group, where the two would repeat a word. */
  headingInGroup?: string;
  /** Where it is not a number: text, yes or no, times by their length, pairs of x and y, or frame numbers. */
  shape?: 'words' | 'flag' | 'histogram' | 'series' | 'frames';
  /** Of a series: what its x is. */
  over?: { heading: string; unit: string };
  /** It may be below 0, and says on which side it is. */
  signed?: true;
  /** A whole number. */
  whole?: true;
  /** Made by a rate, and not counted: ≈ stands before it. */
  isEstimate?: true;
  /** It is never above this. */
  most?: number;
  /** Of a spread: the figure of the same unit over whose repeats it is taken, and after which it stands as ±. */
  spreadOf?: string;
  /** The figure in the same unit that gives the uncertainty of this one: if it was measured, it stands after this one with ±. */
  offBy?: string;
  /** Empty for a count. */
  unit: string;
  digits: number;
  /** Which way is better. */
  direction: Direction;
  formula: string;
  description: string;
  /** Where the figure is taken. */
  source: string;
  /** For a figure of a stream: how the row's figure follows from it; absent if the row has none, or computes its own. */
  aggregate?: Aggregate;
  /**
   * Of words that follow from what a row found: how they do, where the fact is of a kind that this metric knows. `reasonText` words
   * reasons of verdicts. Rows of earlier versions have the words among their figures.
   */
  ofFound?: (found: Fact, reasonText: (reason: readonly Fact[]) => string) => string | null;
  /** Of a smallest, a percentile, a largest or a count by length: what they are of, which one definition says for all of them. */
  distribution?: { heading: string; formula: string; description: string };
  /** One that is defined alike: beside its definition it is enough to say what is different. */
  definedAs?: { id: string; but: string };
  /** Too fine for a table of streams: charts and files have it. */
  isDetail?: true;
  /** Of what adds up over time: the value of a row that says over how many seconds. Rows of other lengths compare per second. */
  countedOver?: string;
  /** Of a largest or a smallest: the value of a row that says within how long a time, or of how many. A longer row finds more: only rows of one length compare. */
  extremeOver?: string;
}

/** Definitions whose ids are known as types. */
export function table<const Id extends string>(metrics: readonly Metric<Id>[]): readonly Metric<Id>[] {
  return metrics;
}

/** A metric that counts. */
export function count<const Id extends string>(
  id: Id,
  heading: string,
  direction: Direction,
  formula: string,
  description: string,
  source: string,
): Metric<Id> {
  return { id, heading, unit: '', digits: 0, direction, formula, description, source, whole: true };
}

export function detailed<const Id extends string>(metrics: readonly Metric<Id>[]): Metric<Id>[] {
  return metrics.map((metric) => ({ ...metric, isDetail: true }));
}

export function inGroup<const Id extends string>(
  group: MetricGroup,
  metrics: readonly Metric<Id>[],
): Metric<Id>[] {
  return metrics.map((metric) => ({ ...metric, group }));
}

/** Of a row's measured time. */
export const extreme = { extremeOver: 'measuredSeconds' } as const;

/** The same of the parts of a distribution, where they are its ends: "min", "maxNs". */
export function extremeIfEnd(name: string): Partial<typeof extreme> {
  return /^(min|max)/.test(name) ? extreme : {};
}

/** A metric that counts what happened in the measured time of a row, in all of its streams. */
export function total<const Id extends string>(...definition: Parameters<typeof count<Id>>): Metric<Id> {
  return { ...count(...definition), countedOver: 'measuredSeconds', aggregate: 'sum' };
}

export function aggregated<const Id extends string>(
  aggregate: Aggregate,
  metrics: readonly Metric<Id>[],
): Metric<Id>[] {
  return metrics.map((metric) => ({ ...metric, aggregate }));
}
