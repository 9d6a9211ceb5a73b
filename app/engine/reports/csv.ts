import type { ExperimentDeclaration } from '../../experiments/declaration';
import { declarations } from '../../experiments/declarations';
import { inOrderOfMachines } from '../../facts/machine-order';
import { headingWithUnit, isCell, type Metric, metricFor, rowMetrics } from '../../facts/metrics/registry';
import type { Missing } from '../../facts/missing';
import { wordsOf } from '../../facts/reason-words';
import { isOfStreams, recordedMetrics, scalarOf } from '../../facts/row-figures';
import type { Run } from '../../facts/run';

/**
 * One line for each row (RFC 4180), with its times as ISO 8601, empty where not measured; a row that is missing has one too, which says so. Streams:
 * every figure of a row and the experiment's own; anything else: the columns of the experiment. Ids, headings and units
 * come from the registry of metrics. A spreadsheet runs no text as a formula.
 */
export function csvOf(run: TabledRun): string {
  const figures = figuresOf(run);
  return csvHead(figures) + csvLines(run, figures);
}

/** What a table has of a run. */
export type TabledRun = Pick<Run, 'experiment' | 'rows' | 'missing'>;

/** @param before headings of columns that stand before those of the rows */
export function csvHead(figures: readonly Metric[], before: readonly string[] = []): string {
  const heads = [
    ...[...before, 'row', 'label', 'from (UTC)', 'to (UTC)', 'verdict'],
    ...figures.map((metric) => `${metric.id} (${headingWithUnit(metric)})`),
    'reason',
  ];
  return lineOf(heads);
}

/** @param before what stands before the cells of each row */
export function csvLines(
  { rows, missing }: TabledRun,
  figures: readonly Metric[],
  before: readonly Cell[] = [],
): string {
  const lines = inOrderOfMachines(rows).map((row) => [
    ...[...before, row.index, row.label, row.from, row.to ?? '', row.verdict ?? ''],
    ...figures.map(({ id }) => scalarOf(row, id) ?? ''),
    wordsOf(row.reason),
  ]);
  return [...lines, ...missingLines(missing, figures.length, before)].map(lineOf).join('');
}

/** Of a run that has no rows to show: why. */
export function csvLineWithoutRun(
  { verdict, reason }: Pick<Run, 'verdict' | 'reason'>,
  figures: readonly Metric[],
  before: readonly Cell[],
): string {
  return lineOf(lineWithoutRow([...before, ''], verdict ?? '', figures.length, reason));
}

function lineWithoutRow(before: readonly Cell[], verdict: string, figures: number, reason: string): Cell[] {
  return [...before, '', '', '', verdict, ...Array.from({ length: figures }, () => ''), reason];
}

type Cell = number | string | boolean;

function lineOf(cells: readonly Cell[]): string {
  return `${cells.map(cell).join(',')}\n`;
}

/** The figures that the rows of a run may have, in the order of the registry, the experiment's own last. */
export function figuresOf({ experiment, rows }: Pick<Run, 'experiment' | 'rows'>): Metric[] {
  // A run that `watch` or the live view wrote is of no experiment.
  const declaration: ExperimentDeclaration | undefined = declarations.find(({ id }) => id === experiment);
  const declared = (declaration?.columns ?? []).map(({ metric }) => metricFor(metric));
  const ofRows = rows.length === 0 || rows.some(isOfStreams) ? rowMetrics : [];
  return [...new Set([...ofRows, ...declared, ...recordedMetrics(rows).filter(isCell)])];
}

function missingLines(missing: Missing | undefined, figures: number, before: readonly Cell[]): Cell[][] {
  if (!missing) return [];
  const { rows, rowNumbers } = missing;
  const line = (number: number | '', reason: string): Cell[] =>
    lineWithoutRow([...before, number], 'INVALID', figures, reason);
  const more = rows - rowNumbers.length;
  return [
    ...rowNumbers.map((number) => line(number, 'the row is missing or unreadable')),
    ...(more > 0
      ? [line('', `${more} more ${more === 1 ? 'row is' : 'rows are'} missing or unreadable`)]
      : []),
  ];
}

function cell(value: Cell): string {
  if (typeof value !== 'string' || value === '') return String(value);
  return `"${(isFormula(value) ? `'${value}` : value).replace(/"/g, '""')}"`;
}

/** What a spreadsheet would take for a formula, in full width too; a number alone is none. */
function isFormula(text: string): boolean {
  return (
    /^(?:[\t\r]|\s*[=+\-@\uff1d\uff0b\uff0d\uff20])/.test(text) && !/^\s*[+-]?\d+(?:\.\d+)?\s*$/.test(text)
  );
}
