import { z } from 'zod';
import { runSchema } from '../facts/run';
import type { Verdict } from '../facts/verdict';

/** A run as the list of all runs shows it, without its rows. */
export const runSummarySchema = runSchema
  .pick({
    ...{ id: true, experiment: true, title: true, state: true, startedAt: true, endedAt: true },
    ...{ verdict: true, reason: true, command: true, thresholdProfile: true, missing: true },
  })
  .extend({
    /** From the folder of all runs. */
    folder: z.string(),
    rows: z.int().nonnegative(),
    hosts: z.array(z.string()),
    /** Texts of its notes, markers and pictures. */
    notes: z.array(z.string()),
  });

export type RunSummary = z.infer<typeof runSummarySchema>;

/** What a run must be like to be found; all that is given must hold. */
export interface HistoryFilter {
  /** Words that must all stand somewhere in its title, sentence, notes, command, hosts or folder; case does not count. */
  text?: string;
  experiment?: string;
  verdict?: Verdict;
  state?: RunSummary['state'];
  host?: string;
  /** Began at this moment or later, and before that one; ISO 8601. */
  from?: string;
  before?: string;
  /** Newest so many. */
  limit?: number;
}

/** A change for the worse beyond this is a regression, unless the operator sets another. */
export const defaultTolerancePercent = 10;

/** With so many digits a change in per cent is shown wherever runs are compared. */
export const changeDigits = 1;

/** With how many digits a count per second is shown there: at least two significant ones, so that a rare loss is no 0.00. */
export function rateDigitsOf(perSecond: number): number {
  if (perSecond === 0 || !Number.isFinite(perSecond)) return fewestRateDigits;
  const significant = 1 - Math.floor(Math.log10(Math.abs(perSecond)));
  return Math.min(Math.max(fewestRateDigits, significant), mostRateDigits);
}

const fewestRateDigits = 2;
const mostRateDigits = 9;

/** How one run's figure stands beside the first run's. */
export type Standing =
  /** Both print alike. */
  | 'same'
  /** Neither was measured. */
  | 'unmeasured'
  /** Apart by no more than repeats of one run are. */
  | 'noise'
  /** Apart by no more than the tolerance. */
  | 'tolerance'
  /** Apart by more than the tolerance, and how far repeats lie apart is not known. */
  | 'unjudged'
  | 'better'
  | 'worse'
  /** Of a figure with no better way. */
  | 'different'
  /** One of them was not measured, or is of an INVALID row. */
  | 'unknown';

export interface ComparedValue {
  /** Median over the repeats of the step; null: not measured. */
  value: number | string | boolean | null;
  /** Rows that it was taken from. */
  repeats: number;
  /** Median of the value per second, where the figure is compared so; otherwise null. */
  perSecond: number | null;
  /**
   * From the first run to this one: 100 · (b − a) / |a|, with its own sign; 0 where they are the same as shown. Null where a is 0,
   * either is no number, or the figure may be of either sign.
   */
  changePercent: number | null;
  /** How far repeats lie apart, of this run or of the first, whichever is more, in what is compared; null: no repeats. */
  noise: number | null;
  standing: Standing;
}

export interface ComparedFigure {
  metric: string;
  /** One for each run. */
  runs: ComparedValue[];
}

export interface ComparedStep {
  /** What was set, by metric, and in words. */
  step: Record<string, number | string | boolean | null>;
  label: string;
  /**
   * Of the row that stands for the step's repeats, otherwise the worst of its rows; INVALID only where no row says anything;
   * null: the run has no such row.
   */
  verdicts: (Verdict | null)[];
  /** How each verdict stands beside the first run's. */
  standings: Standing[];
  figures: ComparedFigure[];
}

/** Steps that the same runs have and others have not: they say nothing of how the runs differ. */
export interface UncoveredSteps {
  /** Indexes of the runs that have them. */
  runs: number[];
  labels: string[];
}

/** What was not the same when the runs began. */
export interface SetDifference {
  of: 'environment' | 'parameters' | 'thresholds';
  path: string;
  /** One for each run; empty: it says nothing of it. */
  values: string[];
}

/** Runs of one experiment side by side; the first is what the others are held against. */
export interface Comparison {
  experiment: string;
  /** Changes of no more than this are neither better nor worse. */
  tolerancePercent: number;
  title: string;
  runs: Pick<RunSummary, 'id' | 'title' | 'startedAt' | 'state' | 'verdict' | 'reason' | 'missing'>[];
  differences: SetDifference[];
  steps: ComparedStep[];
  uncovered: UncoveredSteps[];
}

/** Something that is worse than in the first run: by more than noise and tolerance, or by more than the tolerance alone. */
export interface Regression {
  /** Index of the run. */
  run: number;
  label: string;
  /** Null: the verdict, or the step as a whole. */
  metric: string | null;
  text: string;
}
