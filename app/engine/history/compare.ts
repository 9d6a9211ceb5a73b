import { spreadsOf } from '../../experiments/declaration';
import { columnsOfExperiment, titleOfExperiment } from '../../experiments/of-run';
import { type Column, machineColumn } from '../../facts/column';
import { flawMetrics } from '../../facts/metrics/registry';
import type { Row } from '../../facts/row';
import { scalarOf } from '../../facts/row-figures';
import { rowLabel } from '../../facts/row-label';
import { countedRows } from '../../facts/row-labels';
import type { Run } from '../../facts/run';
import { type Verdict, verdicts, worseVerdict } from '../../facts/verdict';
import { badInput } from '../../protocol/errors';
import {
  type ComparedStep,
  type Comparison,
  defaultTolerancePercent,
  isJudged,
  type Standing,
  type UncoveredSteps,
} from '../../protocol/history';
import { compareFigure } from './compared-figure';
import { readsOf } from './disk-reads';
import { notRecorded, setDifferences } from './set-differences';

/** Rows of a run that were measured with the same settings. */
interface StepRows {
  rows: JudgedRow[];
  /** Those in which the instrument kept up. */
  valid: JudgedRow[];
  /** The row that summarizes them if they are repeats of a step; it has its own verdict and figures. */
  whole: JudgedRow | null;
}

type JudgedRow = Row & { verdict: Verdict };

/**
 * Runs side by side, aligned by what was set for each row. Pure: it reads nothing but the runs.
 * @throws WhitelineError BAD_INPUT for less than two runs, or runs of different experiments, or that read differently
 */
export function compareRuns(
  runs: readonly Run[],
  tolerancePercent: number = defaultTolerancePercent,
): Comparison {
  const [first] = runs;
  if (!first || runs.length < 2) throw badInput('runs', 'two runs or more', String(runs.length));
  const other = runs.find(({ experiment }) => experiment !== first.experiment);
  if (other) {
    throw badInput(
      'runs',
      `runs of one experiment (${first.experiment})`,
      other.experiment,
      'See whiteline runs',
    );
  }
  requireSameReads(runs);
  const columns = comparedColumns(runs);
  const keys = alignedBy(runs, columns);
  const grouped = runs.map((run) => groupRows(countedRows(run.rows), columns, keys));
  const compared = comparedMetrics(runs, columns);
  const profiles = runs.map(({ thresholds }) => JSON.stringify(thresholds));
  const isSameProfile = profiles.map((profile) => profile === profiles[0]);
  const steps = namesOf(grouped).map((name) => {
    const own = grouped.map((byName) => byName.get(name));
    return compareStep(own, columns, keys, { compared, tolerancePercent, isSameProfile });
  });
  return {
    ...{ experiment: first.experiment, tolerancePercent },
    title: titleOfExperiment(first.experiment),
    runs: runs.map(({ id, title: name, startedAt, state, verdict, reason, missing }) => ({
      ...{ id, title: name, startedAt, state, verdict, reason, missing },
    })),
    differences: setDifferences(runs),
    notRecorded: notRecorded(runs),
    steps,
    uncovered: uncoveredOf(steps),
  };
}

/**
 * With the machine, where some rows have it among what was set. Where nothing else is set, the label tells rows apart, and has the
 * machine in it.
 */
function comparedColumns(runs: readonly Run[]): readonly Column[] {
  const columns = columnsOfExperiment(runs[0]?.experiment ?? '');
  const isOfSeveral = runs.some(({ rows }) => rows.some(({ step }) => step.machine !== undefined));
  return isOfSeveral && columns.some(({ role }) => role === 'step') ? [machineColumn, ...columns] : columns;
}

/** Figures of the experiment's table, and every kind of loss and flaw that one of the runs measured. */
function comparedMetrics(runs: readonly Run[], columns: readonly Column[]): string[] {
  const declared = columns.filter(({ role }) => role === 'measure' || role === 'count');
  const rows = runs.flatMap((run) => run.rows);
  const flaws = flawMetrics.filter(({ id }) => rows.some((row) => scalarOf(row, id) !== null));
  return [...new Set([...declared.map(({ metric }) => metric), ...flaws.map(({ id }) => id)])];
}

/** The speed of a disk and that of the page cache are no two figures of one thing. Runs that read nothing go with any. */
function requireSameReads(runs: readonly Run[]): void {
  const [first, ...others] = runs.map((run) => readsOf(run).join(' and ')).filter((reads) => reads !== '');
  const other = others.find((reads) => reads !== first);
  if (other === undefined) return;
  const remedy = 'Measure one of them again, with reads as in the other';
  throw badInput('runs', `runs that read alike (${first})`, other, remedy);
}

/** Rows of runs of one experiment that were measured with the same settings. */
export interface AlignedRows {
  label: string;
  /** Of each run; none if it has no such row. */
  rows: Row[][];
}

/** All rows of runs of one experiment beside each other, aligned as for a comparison; open rows are left out. */
export function alignRows(runs: readonly Run[]): AlignedRows[] {
  const columns = comparedColumns(runs);
  const keys = alignedBy(runs, columns);
  const grouped = runs.map((run) => groupRows(run.rows, columns, keys));
  return namesOf(grouped).map((name) => {
    const steps = grouped.map((own) => own.get(name));
    return {
      label: labelOf(steps, labelKeys(keys, columns)),
      rows: steps.map((step) => (step ? [...step.rows, ...(step.whole ? [step.whole] : [])] : [])),
    };
  });
}

/** In the order of the longest ladder of steps: a run that went further than the first has more of them. */
function namesOf(grouped: readonly Map<string, StepRows>[]): string[] {
  return [...new Set(grouped.flatMap((steps) => [...steps.keys()]))];
}

/** Steps that some runs have and others have not. */
function uncoveredOf(steps: readonly ComparedStep[]): UncoveredSteps[] {
  const uncovered = new Map<string, UncoveredSteps>();
  for (const { label, verdicts } of steps) {
    if (!verdicts.includes(null)) continue;
    const runs = verdicts.flatMap((verdict, run) => (verdict === null ? [] : [run]));
    const labels = uncovered.get(runs.join())?.labels ?? [];
    uncovered.set(runs.join(), { runs, labels: [...labels, label] });
  }
  return [...uncovered.values()];
}

/**
 * Step columns that set rows apart. One that is the same in all rows of each run was a setting of the run: it
 * may be what is compared, such as a disk and a share, unless what is measured differs with it.
 */
function alignedBy(runs: readonly Run[], columns: readonly Column[]): string[] {
  const varies = (rows: readonly Row[], metric: string): boolean =>
    new Set(rows.map((row) => scalarOf(row, metric))).size > 1;
  const all = runs.flatMap(({ rows }) => rows);
  return columns
    .filter(({ role, metric, isKind }) => {
      if (role !== 'step') return false;
      return isKind ? varies(all, metric) : runs.some(({ rows }) => varies(rows, metric));
    })
    .map(({ metric }) => metric);
}

function stepsOf(columns: readonly Column[]): string[] {
  return columns.filter(({ role }) => role === 'step').map(({ metric }) => metric);
}

function groupRows(
  rows: readonly Row[],
  columns: readonly Column[],
  keys: readonly string[],
): Map<string, StepRows> {
  const repeatColumn = columns.find(({ role }) => role === 'repeat')?.metric;
  const hasSteps = columns.some(({ role }) => role === 'step');
  const steps = new Map<string, JudgedRow[]>();
  for (const row of rows.filter(isClosed)) {
    const name = JSON.stringify(hasSteps ? keys.map((key) => scalarOf(row, key)) : row.label);
    steps.set(name, [...(steps.get(name) ?? []), row]);
  }
  return new Map(
    [...steps].map(([name, all]) => {
      // Beside the repeats of a step there may be a row that stands for all of them: it is one of them again.
      const repeats = all.filter((row) => repeatColumn && typeof scalarOf(row, repeatColumn) === 'number');
      const own = repeats.length > 0 ? repeats : all;
      const whole = all.find((row) => !own.includes(row)) ?? null;
      return [name, { rows: own, valid: own.filter(({ verdict }) => verdict !== 'INVALID'), whole }];
    }),
  );
}

/** An open row has no verdict yet, and its figures still change. */
function isClosed(row: Row): row is JudgedRow {
  return row.verdict !== null;
}

function compareStep(
  steps: readonly (StepRows | undefined)[],
  columns: readonly Column[],
  keys: readonly string[],
  {
    compared,
    tolerancePercent,
    isSameProfile,
  }: { compared: readonly string[]; tolerancePercent: number; isSameProfile: readonly boolean[] },
): ComparedStep {
  const row = firstRowOf(steps);
  const spreads = spreadsOf(columns);
  const isSeries = !columns.some(({ role }) => role === 'repeat');
  const verdictsOfRuns = steps.map((step) => (step ? verdictOf(step, isSeries) : null));
  const passed = verdictsOfRuns.map((verdict) => verdict === 'PASS' && verdictsOfRuns[0] === 'PASS');
  return {
    step: Object.fromEntries(keys.map((key) => [key, scalarOf(row, key)])),
    label: labelOf(steps, labelKeys(keys, columns)),
    verdicts: verdictsOfRuns,
    // Verdicts by different limits are not compared, figures are.
    standings: steps.map((step, run) =>
      isSameProfile[run]
        ? standingOf(verdictToCompare(steps[0], isSeries), verdictToCompare(step, isSeries))
        : 'unknown',
    ),
    figures: compared.map((metric) => {
      const rows = steps.map((step) => (step ? rowsWith(metric, step) : []));
      return compareFigure(metric, rows, {
        ...{ spread: spreads.get(metric)?.id ?? null, isSeries, tolerancePercent, passed },
      });
    }),
  };
}

/** A setting that differs between the runs has more than one value. */
function labelOf(steps: readonly (StepRows | undefined)[], keys: readonly string[]): string {
  const rows = steps.flatMap((step) => step?.rows[0] ?? []);
  return [...new Set(rows.map((row) => rowLabel(row, keys)))].join(' / ');
}

/** A step is one of at least one run. */
function firstRowOf(steps: readonly (StepRows | undefined)[]): Row {
  return steps.find((step) => step !== undefined)?.rows[0] as Row;
}

function labelKeys(keys: readonly string[], columns: readonly Column[]): readonly string[] {
  return keys.length > 0 ? keys : stepsOf(columns);
}

function standingOf(before: Verdict | null, now: Verdict | null): Standing {
  if (before === now) return 'same';
  if (!isJudged(before) || !isJudged(now)) return 'unknown';
  return verdicts.indexOf(now) > verdicts.indexOf(before) ? 'worse' : 'better';
}

/** INVALID repeats are ignored. In rows that follow one another, each counts for its own time. */
function verdictOf({ rows, valid, whole }: StepRows, isSeries: boolean): Verdict {
  const judged = whole ? [whole] : valid.length > 0 && !isSeries ? valid : rows;
  return judged.map(({ verdict }) => verdict).reduce(worseVerdict);
}

/** A machine that was busy before the first stream does not affect what is compared. */
function verdictToCompare(step: StepRows | undefined, isSeries: boolean): Verdict | null {
  if (!step) return null;
  const verdict = verdictOf(step, isSeries);
  const wasBusy = step.rows.some(({ reason }) => reason.some(({ code }) => code === 'busy-baseline'));
  return verdict === 'WARN' && wasBusy ? 'INVALID' : verdict;
}

/** The repeats; what only all of them together show, such as the cost of a stream, stands in the row for the whole. */
function rowsWith(metric: string, { valid, whole }: StepRows): readonly Row[] {
  const isReported = valid.some((row) => scalarOf(row, metric) !== null);
  return isReported || !whole || whole.verdict === 'INVALID' ? valid : [whole];
}
