import { columnsOfExperiment } from '../../app/experiments/of-run';
import { type Metric, metricOf } from '../../app/facts/metrics/registry';
import {
  type ComparedFigure,
  type ComparedStep,
  type Comparison,
  isHeldAgainst,
  type Standing,
} from '../../app/protocol/history';
import { type ReportLoad, reportLoadFigures } from '../../app/protocol/report';
import { longestStepSeconds, withGaps } from '../charts/gaps';

/** One measure over the steps of all runs. */
export interface ComparedSeries {
  metric: Metric;
  /** For each run, its value at each step; null: not measured there. */
  values: (number | null)[][];
}

/** The measures of the experiment that at least two of the runs can be seen by, in the order of its declaration. */
export function comparedSeriesOf({ experiment, steps, runs }: Comparison): ComparedSeries[] {
  return columnsOfExperiment(experiment)
    .filter(({ role }) => role === 'measure')
    .map(({ metric }) => ({
      metric: metricOf(metric),
      values: runs.map((_, run) => steps.map((step) => numberOf(step, metric, run))),
    }))
    .filter(({ values }) => values.filter((run) => run.some((value) => value !== null)).length > 1);
}

function numberOf(step: ComparedStep, metric: string, run: number): number | null {
  const value = step.figures.find((figure) => figure.metric === metric)?.runs[run]?.value;
  return typeof value === 'number' ? value : null;
}

/** Steps that are one number growing, such as the number of streams, are joined by lines; other things stand as bars. */
export function isLadder(steps: readonly ComparedStep[]): boolean {
  return steps.length > 1 && steps.every(({ step }) => stepNumber(step) !== null);
}

/** Label of a step below the axis. */
export function stepNames(steps: readonly ComparedStep[]): string[] {
  const ladder = isLadder(steps);
  return steps.map(({ step }, index) => String(ladder ? stepNumber(step) : index + 1));
}

function stepNumber(step: ComparedStep['step']): number | null {
  const values = Object.values(step);
  return values.length === 1 && typeof values[0] === 'number' ? values[0] : null;
}

const unchanged: readonly Standing[] = ['same', 'unmeasured', 'noise', 'tolerance'];

/** A figure with something to say: not the same in all runs, and apart by more than noise and tolerance. */
export function isChange({ runs }: ComparedFigure): boolean {
  return runs.slice(1).some(({ standing }) => !unchanged.includes(standing));
}

/** Of how many verdicts and figures something can be said. */
export interface StandingCounts {
  worse: number;
  better: number;
  different: number;
  same: number;
}

/** Of one run beside the first: verdicts of steps that changed, and figures; null where nothing could be compared. */
export function countStandings({ steps }: Comparison, run: number): StandingCounts | null {
  if (!steps.some((step) => isHeldAgainst(step, run))) return null;
  const verdicts = steps.map(({ standings }) => standings[run]).filter((standing) => standing !== 'same');
  const figures = steps.flatMap((step) => step.figures.map(({ runs }) => runs[run]?.standing));
  const count = (...wanted: Standing[]): number =>
    [...verdicts, ...figures].filter((standing) => standing !== undefined && wanted.includes(standing))
      .length;
  return {
    worse: count('worse'),
    better: count('better'),
    different: count('different', 'unjudged'),
    same: count('same', 'noise', 'tolerance'),
  };
}

/** A figure over the time since each run's first sample. */
export interface ComparedLoadSeries {
  figure: (typeof reportLoadFigures)[number];
  /** For each run: seconds, and the value at each. */
  runs: { seconds: number[]; values: (number | null)[] }[];
}

/** Figures that at least one of the runs measured, with nulls where no sample was taken. */
export function comparedLoadOf(loads: readonly ReportLoad[]): ComparedLoadSeries[] {
  return reportLoadFigures
    .map((figure, column) => ({
      figure,
      runs: loads.map(({ wallMs, columns, samplesPerPoint }) => {
        const times = wallMs.map((atMs) => (atMs - (wallMs[0] ?? 0)) / 1000);
        const drawn = withGaps([times, columns[column] ?? []], longestStepSeconds(samplesPerPoint));
        const [seconds, values = []] = drawn;
        return { seconds, values };
      }),
    }))
    .filter(({ runs }) => runs.some(({ values }) => values.some((value) => value !== null)));
}

/**
 * A run's value at a moment: its newest sample up to there, where only others have one just then (undefined). Null if it
 * was not measured, and once the run is over.
 */
export function valueAt(values: ArrayLike<number | null | undefined>, index: number): number | null {
  let last = values.length - 1;
  while (last >= 0 && values[last] === undefined) last -= 1;
  if (index > last) return null;
  for (let at = index; at >= 0; at -= 1) {
    const value = values[at];
    if (value !== undefined) return value;
  }
  return null;
}
