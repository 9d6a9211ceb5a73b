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
    /** What was sent or received: `Tested` (app/experiments/tested.ts). */
    ...{ sources: z.array(z.string()), formats: z.array(z.string()) },
    /** Names of its streams, each that one had. */
    streamNames: z.array(z.string()),
    /** The most in one row; 0: it has no rows of streams. */
    streams: z.int().nonnegative(),
    /** Of the plan or session that it was recorded in; empty without one. */
    recordedIn: z.string(),
    /** Texts of its notes, markers and pictures. */
    notes: z.array(z.string()),
  });

export type RunSummary = z.infer<typeof runSummarySchema>;

/** What a run must be like to be found; all that is given must hold. */
export interface HistoryFilter {
  /**
   * Words, and phrases in double quotes, that must all begin somewhere in its title, sentence, notes, command, hosts, sources, formats,
   * stream names, session or folder; case does not count, and 640×360 is 640x360.
   */
  text?: string;
  experiment?: string;
  verdict?: Verdict;
  state?: RunSummary['state'];
  host?: string;
  /** Began at this moment or later, and before that one; ISO 8601. */
  from?: string;
  before?: string;
  /** How many of the newest. */
  limit?: number;
}

/** A change for the worse beyond this is a regression, unless the operator sets another. */
export const defaultTolerancePercent = 10;

/** Digits of a change in per cent wherever runs are compared. */
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
  /** A largest or smallest within a time, of rows that are not of one length. */
  | 'unlike'
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
   * From the first run to this one: 100 · (b − a) / |a|, with its own sign; 0 if they are the same as shown. Null if a is 0,
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

/** True where both the first run and another one could judge a step. A baseline alone says nothing of how runs differ. */
export function isHeldAgainst({ step, verdicts }: ComparedStep, run: number): boolean {
  return step.streams !== 0 && isJudged(verdicts[0]) && isJudged(verdicts[run]);
}

/** An INVALID row proves nothing, either way. */
export function isJudged(verdict: Verdict | null | undefined): verdict is Exclude<Verdict, 'INVALID'> {
  return verdict != null && verdict !== 'INVALID';
}

/** Steps that the same runs have and others have not: they prove nothing about how the runs differ. */
export interface UncoveredSteps {
  /** Indexes of the runs that have them. */
  runs: number[];
  labels: string[];
}

/** What was not the same when the runs began. */
export interface SetDifference {
  of: 'environment' | 'parameters' | 'thresholds';
  path: string;
  /** In the words of the window. */
  name: string;
  /** One for each run; empty: the run did not record it. */
  values: string[];
}

/** A setting that is no change, because some of the runs did not record it. */
export interface NotRecorded {
  /** As that of a difference. */
  name: string;
  /** Indexes of the runs without it. */
  runs: number[];
}

/** In place of a value. */
export const notRecordedText = 'not recorded';

/** The names of what the same runs did not record, together. */
export function namesNotRecorded(all: readonly NotRecorded[]): { runs: number[]; names: string[] }[] {
  const groups = new Map<string, { runs: number[]; names: string[] }>();
  for (const { name, runs } of all) {
    const names = groups.get(runs.join())?.names ?? [];
    groups.set(runs.join(), { runs, names: [...names, name] });
  }
  return [...groups.values()];
}

/** Runs of one experiment side by side; the first is what the others are held against. */
export interface Comparison {
  experiment: string;
  /** Changes of no more than this are neither better nor worse. */
  tolerancePercent: number;
  title: string;
  runs: Pick<RunSummary, 'id' | 'title' | 'startedAt' | 'state' | 'verdict' | 'reason' | 'missing'>[];
  differences: SetDifference[];
  notRecorded: NotRecorded[];
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
