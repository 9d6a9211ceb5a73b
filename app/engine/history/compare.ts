import { badInput } from '../../protocol/errors';
import type { Column } from '../../protocol/experiments/declaration';
import { declarations } from '../../protocol/experiments/registry';
import { streamLoadDeclaration } from '../../protocol/experiments/stream-load';
import type {
  ComparedFigure,
  ComparedStep,
  ComparedValue,
  Comparison,
  Regression,
  Standing,
} from '../../protocol/history';
import { metricOf } from '../../protocol/metrics/registry';
import { rowValue } from '../../protocol/metrics/row-value';
import type { RunRow } from '../../protocol/row';
import type { Run } from '../../protocol/run';
import { symmetricDifferencePercent } from '../../protocol/symmetric-difference';
import { type Verdict, verdicts, worseVerdict } from '../../protocol/verdict';
import { setDifferences } from './set-differences';

/** A difference is noise up to so many standard deviations, where a row tells one of its own repeats. */
const deviations = 2;
/** A change for the worse that is told as a regression, unless somebody sets another. */
export const defaultTolerancePercent = 10;

type Value = ComparedValue['value'];

/** Rows of a run that were measured with the same settings. */
interface StepRows {
  rows: RunRow[];
  /** Those of which the instrument could keep up. */
  valid: RunRow[];
  /** The row that stands for them where they are repeats of a step; it has a verdict and figures of its own. */
  whole: RunRow | null;
}

/**
 * Runs side by side, aligned by what was set for each row. Pure: it reads nothing but the runs.
 * @throws WhitelineError BAD_INPUT for less than two runs, or runs of different experiments
 */
export function compareRuns(runs: readonly Run[]): Comparison {
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
  const { title, columns } = columnsFor(first.experiment);
  const keys = alignedBy(runs, columns);
  const grouped = runs.map((run) => groupRows(run.rows, columns, keys));
  // In the order of the longest ladder of steps: a run that went further than the first has more of them.
  const names = [...new Set(grouped.flatMap((steps) => [...steps.keys()]))];
  return {
    experiment: first.experiment,
    title,
    runs: runs.map(({ id, title: name, startedAt, state, verdict, reason, missing }) => ({
      ...{ id, title: name, startedAt, state, verdict, reason, missing },
    })),
    differences: setDifferences(runs),
    steps: names.map((name) =>
      compareStep(
        grouped.map((steps) => steps.get(name)),
        columns,
        keys,
      ),
    ),
  };
}

/** What got worse, by more than noise and more than the tolerance. An INVALID row says nothing, either way. */
export function regressionsOf({ steps, runs }: Comparison, tolerancePercent: number): Regression[] {
  return runs.slice(1).flatMap((_, index) => {
    const run = index + 1;
    return steps.flatMap((step) => {
      const {
        label,
        figures,
        verdicts: [before = null, ...after],
      } = step;
      const now = after[index] ?? null;
      if (before === null || before === 'INVALID' || now === 'INVALID') return [];
      if (now === null) {
        const why = runs[run]?.missing ? 'not there, in a run that is not whole' : 'not measured any more';
        const text = `${why}; it was ${before}`;
        // A step that was not carried before is no loss.
        return before === 'FAIL' ? [] : [{ run, label, metric: null, text }];
      }
      const found: Regression[] = [];
      if (verdicts.indexOf(now) > verdicts.indexOf(before))
        found.push({ run, label, metric: null, text: `${now}, it was ${before}` });
      for (const { metric, runs: values } of figures) {
        const value = values[run];
        if (value?.standing !== 'worse') continue;
        const percent = value.differencePercent;
        if (percent !== null && -percent <= tolerancePercent) continue;
        found.push({ run, label, metric, text: changeText(metric, values[0]?.value ?? null, value) });
      }
      return found;
    });
  });
}

/** Whether the runs are whole, and any step of both could be judged. */
export function isComparable({ steps, runs }: Comparison): boolean {
  if (runs.some(({ missing }) => missing)) return false;
  return steps.some(({ verdicts: [before, ...after] }) => {
    const isJudged = (verdict: Verdict | null | undefined): boolean =>
      verdict != null && verdict !== 'INVALID';
    return isJudged(before) && after.some(isJudged);
  });
}

function changeText(
  metric: string,
  before: Value,
  { value, differencePercent, noise }: ComparedValue,
): string {
  const { unit, digits, heading } = metricOf(metric);
  const text = (figure: Value): string =>
    typeof figure === 'number' ? figure.toFixed(digits) : String(figure);
  const change = differencePercent === null ? '' : ` (${differencePercent.toFixed(1)} %)`;
  const band = noise === null ? 'no repeats to tell noise from' : `noise ${text(noise)}`;
  return `${heading} ${text(before)} → ${text(value)}${unit && ` ${unit}`}${change}, ${band}`;
}

/** A live run, and a watched one, has the rows of a ramp. */
function columnsFor(experiment: string): { title: string; columns: readonly Column[] } {
  return (
    declarations.find(({ id }) => id === experiment) ?? {
      title: experiment,
      columns: streamLoadDeclaration.columns,
    }
  );
}

/** Which repeat of its step a row is, is not a step of its own. */
function isRepeat(metric: string): boolean {
  return metric.endsWith('.repeat');
}

/**
 * Step columns that set rows of a run apart. One that is the same in all rows of each run was a setting of the run: it
 * may be what is compared, such as a disk and a share.
 */
function alignedBy(runs: readonly Run[], columns: readonly Column[]): string[] {
  return stepsOf(columns).filter((metric) =>
    runs.some(({ rows }) => new Set(rows.map((row) => rowValue(row, metric))).size > 1),
  );
}

function stepsOf(columns: readonly Column[]): string[] {
  return columns
    .filter(({ role, metric }) => role === 'step' && !isRepeat(metric))
    .map(({ metric }) => metric);
}

function groupRows(
  rows: readonly RunRow[],
  columns: readonly Column[],
  keys: readonly string[],
): Map<string, StepRows> {
  const repeatColumn = columns.find(({ metric }) => isRepeat(metric))?.metric;
  const hasSteps = columns.some(({ role }) => role === 'step');
  const steps = new Map<string, RunRow[]>();
  for (const row of rows) {
    const name = JSON.stringify(hasSteps ? keys.map((key) => rowValue(row, key)) : row.label);
    steps.set(name, [...(steps.get(name) ?? []), row]);
  }
  return new Map(
    [...steps].map(([name, all]) => {
      // Beside the repeats of a step there may be a row that stands for all of them: it is one of them again.
      const repeats = all.filter((row) => repeatColumn && typeof rowValue(row, repeatColumn) === 'number');
      const own = repeats.length > 0 ? repeats : all;
      const whole = all.find((row) => !own.includes(row)) ?? null;
      return [name, { rows: own, valid: own.filter(({ verdict }) => verdict !== 'INVALID'), whole }];
    }),
  );
}

function compareStep(
  steps: readonly (StepRows | undefined)[],
  columns: readonly Column[],
  keys: readonly string[],
): ComparedStep {
  const row = steps.find((step) => step !== undefined)?.rows[0] as RunRow;
  const told = columns.filter(({ role }) => role === 'measure' || role === 'count');
  return {
    step: Object.fromEntries(keys.map((key) => [key, rowValue(row, key)])),
    label: labelOf(row, keys.length > 0 ? keys : stepsOf(columns)),
    verdicts: steps.map((step) => (step ? verdictOf(step) : null)),
    figures: told.map(({ metric }) => compareFigure(metric, spreadOf(metric, columns), steps)),
  };
}

function verdictOf({ rows, valid, whole }: StepRows): Verdict {
  const judged = whole ? [whole] : valid.length > 0 ? valid : rows;
  return judged.map(({ verdict }) => verdict).reduce(worseVerdict);
}

function labelOf(row: RunRow, keys: readonly string[]): string {
  const texts = keys.map((key) => `${metricOf(key).heading} ${rowValue(row, key) ?? '–'}`);
  return texts.join(', ') || row.label || `row ${row.row}`;
}

/** The column of a figure's own spread stands right behind it. */
function spreadOf(metric: string, columns: readonly Column[]): string | null {
  const next = columns[columns.findIndex((column) => column.metric === metric) + 1];
  return next?.role === 'spread' && metricOf(next.metric).unit === metricOf(metric).unit ? next.metric : null;
}

function compareFigure(
  metric: string,
  spread: string | null,
  steps: readonly (StepRows | undefined)[],
): ComparedFigure {
  const measured = steps.map((step) => measure(metric, spread, step ? rowsWith(metric, step) : []));
  const [first] = measured;
  return {
    metric,
    runs: measured.map((own, index) => {
      const { value, repeats } = own;
      if (index === 0 || !first)
        return { value, repeats, differencePercent: null, noise: own.noise, standing: 'same' };
      const noise = largest(first.noise, own.noise);
      return { value, repeats, noise, ...standing(metric, first.value, value, noise) };
    }),
  };
}

/** The repeats; what only all of them together tell, such as the cost of a stream, stands in the row for the whole. */
function rowsWith(metric: string, { valid, whole }: StepRows): readonly RunRow[] {
  const isTold = valid.some((row) => rowValue(row, metric) !== null);
  return isTold || !whole || whole.verdict === 'INVALID' ? valid : [whole];
}

function standing(
  metric: string,
  a: Value,
  b: Value,
  noise: number | null,
): { standing: Standing; differencePercent: number | null } {
  const differencePercent = null;
  if (a === null && b === null) return { standing: 'unmeasured', differencePercent };
  if (a === b) return { standing: 'same', differencePercent: typeof a === 'number' ? 0 : null };
  if (a === null || b === null) return { standing: 'unknown', differencePercent };
  if (typeof a !== 'number' || typeof b !== 'number') return { standing: 'different', differencePercent };
  const { direction } = metricOf(metric);
  const percent = symmetricDifferencePercent(a, b, direction);
  if (noise !== null && Math.abs(b - a) <= noise) return { standing: 'noise', differencePercent: percent };
  if (direction === 'none') return { standing: 'different', differencePercent: percent };
  const isBetter = direction === 'lower' ? b < a : b > a;
  return { standing: isBetter ? 'better' : 'worse', differencePercent: percent };
}

function measure(
  metric: string,
  spread: string | null,
  rows: readonly RunRow[],
): { value: Value; repeats: number; noise: number | null } {
  const values = rows
    .map((row) => rowValue(row, metric))
    .filter((value): value is NonNullable<Value> => value !== null);
  const numbers = values.filter((value): value is number => typeof value === 'number').sort((a, b) => a - b);
  if (numbers.length < values.length || numbers.length === 0) {
    return { value: values[0] ?? null, repeats: values.length, noise: null };
  }
  const middle = numbers.length >> 1;
  const value =
    numbers.length % 2 === 1
      ? (numbers[middle] as number)
      : ((numbers[middle - 1] as number) + (numbers[middle] as number)) / 2;
  const range = numbers.length > 1 ? (numbers[numbers.length - 1] as number) - (numbers[0] as number) : null;
  const told = spread === null ? [] : rows.map((row) => rowValue(row, spread));
  const deviation = told
    .filter((own): own is number => typeof own === 'number')
    .reduce<number | null>((most, own) => largest(most, own * deviations), null);
  return { value, repeats: numbers.length, noise: largest(range, deviation) };
}

function largest(a: number | null, b: number | null): number | null {
  if (a === null || b === null) return a ?? b;
  return Math.max(a, b);
}
