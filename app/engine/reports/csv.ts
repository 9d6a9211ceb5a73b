import type { ExperimentDeclaration } from '../../experiments/declaration';
import { declarations } from '../../experiments/declarations';
import { machinesOf, testedOf } from '../../experiments/tested';
import { lostBetweenRowsText } from '../../facts/lost-between-rows';
import { inOrderOfMachines } from '../../facts/machine-order';
import { headingWithUnit, isCell, type Metric, metricFor, rowMetrics } from '../../facts/metrics/registry';
import type { Missing } from '../../facts/missing';
import { wordsOf } from '../../facts/reason-words';
import { isOfStreams, recordedMetrics, scalarOf } from '../../facts/row-figures';
import type { Run } from '../../facts/run';
import { plainSentences } from '../../protocol/plain-text';

/**
 * One line for each row, with its times as ISO 8601, empty if not measured; what was lost between rows, and a row that is missing, have
 * one too, which says so (docs/csv.md). What a run and its rows are comes first, in columns that all runs have. Streams: every figure of a row and the
 * experiment's own; anything else: the columns of the experiment. Ids, headings and units come from the registry of metrics. Ends of
 * lines are those of RFC 4180, and the mark at the beginning has a spreadsheet read it as UTF-8. It runs no text as a formula.
 */
export function csvOf(run: TabledRun): string {
  const figures = figuresOf(run);
  return csvHead(figures) + csvLines(run, figures);
}

/** What a table has of a run. */
export type TabledRun = Pick<
  Run,
  'experiment' | 'parameters' | 'environment' | 'rows' | 'lostBetweenRows' | 'missing'
>;

const byteOrderMark = '\ufeff';

/** @param before headings of columns that stand before those of the run */
export function csvHead(figures: readonly Metric[], before: readonly string[] = []): string {
  const heads = [
    ...[...before, 'experiment', 'source', 'format (size@rate)', 'machines'],
    ...['row', 'label', 'from (UTC)', 'to (UTC)', 'verdict', 'reason'],
    ...figures.map((metric) => `${metric.id} (${headingWithUnit(metric)})`),
  ];
  return byteOrderMark + lineOf(heads);
}

/** @param before what stands before the cells of the run */
export function csvLines(run: TabledRun, figures: readonly Metric[], before: readonly Cell[] = []): string {
  const { sources, formats } = testedOf(run);
  const machines = machinesOf(run.environment);
  const ofRun = [...before, run.experiment, ...[sources, formats, machines].map((names) => names.join(', '))];
  const lines = inOrderOfMachines(run.rows).map((row) => [
    ...[...ofRun, row.index, row.label, row.from, row.to ?? '', row.verdict ?? '', wordsOf(row.reason)],
    ...figures.map(({ id }) => scalarOf(row, id) ?? ''),
  ]);
  for (const lost of run.lostBetweenRows ?? [])
    lines.push([
      ...[...ofRun, '', 'between rows', lost.from, lost.to, '', lostBetweenRowsText(lost)],
      ...figures.map(() => ''),
    ]);
  return [...lines, ...missingLines(run.missing, figures.length, ofRun)].map(lineOf).join('');
}

/** Of a run that has no rows to show: why. */
export function csvLineWithoutRun(
  { experiment, verdict, reason }: Pick<Run, 'experiment' | 'verdict' | 'reason'>,
  figures: readonly Metric[],
  before: readonly Cell[],
): string {
  return lineOf(
    lineWithoutRow([...before, experiment, '', '', '', ''], verdict ?? '', figures.length, reason),
  );
}

function lineWithoutRow(before: readonly Cell[], verdict: string, figures: number, reason: string): Cell[] {
  return [...before, '', '', '', verdict, reason, ...Array.from({ length: figures }, () => '')];
}

type Cell = number | string | boolean;

function lineOf(cells: readonly Cell[]): string {
  return `${cells.map(cell).join(',')}\r\n`;
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

/** A spreadsheet takes no more characters in a cell. */
const mostCharacters = 32_767;

/** A text is one line, without characters that would do something: each row is a line of the file. */
function cell(value: Cell): string {
  if (typeof value !== 'string' || value === '') return String(value);
  const text = plainSentences(value);
  return `"${cut(isFormula(text) ? `'${text}` : text).replace(/"/g, '""')}"`;
}

function cut(text: string): string {
  return text.length > mostCharacters ? `${text.slice(0, mostCharacters - 1)}…` : text;
}

/** A text that a spreadsheet would take for a formula, in full-width characters too; a plain number is none. */
function isFormula(text: string): boolean {
  return /^\s*[=+\-@\uff1d\uff0b\uff0d\uff20]/.test(text) && !/^\s*[+-]?\d+(?:\.\d+)?\s*$/.test(text);
}
