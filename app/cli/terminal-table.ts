import { type ExperimentDeclaration, spreadsOf } from '../experiments/declaration';
import type { Column } from '../facts/column';
import { type Metric, metricOf } from '../facts/metrics/registry';
import { guardCodes, wordsOf } from '../facts/reason-words';
import type { Row } from '../facts/row';
import { numberOf, scalarOf } from '../facts/row-figures';

/** A longer text is printed below its row. */
const longestText = 12;
const narrowest = 6;
const figureWidth = 8;
/** Room for "941.24 ±0.52". */
const spreadWidth = 12;
/** Room for "941.24 ± 0.52", from the first row on that has a ±. */
const offByWidth = 14;
/** Behind this one stand these, each from the first row on that has some: rows before it had none. */
const beforeRare = 'framesDropped';
const rare = ['framesSpoilt', 'framesInOutages'];
/** More of a figure stands in the run's folder. */
const mostDigits = 5;

interface Cell {
  metric: Metric;
  /** How much repeats of it differ, shown after the figure. */
  spread: Metric | null;
  width: number;
  head: string[];
}

/**
 * The terminal's table of the columns that an experiment declares for it: a figure and its spread in one, heads of several lines
 * with the unit last. What was set for a row, where its label says so, and long texts have no column of their own.
 */
export class TerminalTable {
  private cells: Cell[] | null = null;
  private readonly saidOfDashes = new Set<string>();
  private readonly columns: readonly Column[];

  constructor({ columns, terminal }: Pick<ExperimentDeclaration, 'columns' | 'terminal'>) {
    this.columns = terminal
      ? terminal.flatMap((id) => columns.filter(({ metric }) => metric === id))
      : columns;
  }

  /** The row; with the head above it where the table has columns that it had not before. */
  lines(row: Row): string[] {
    const before = this.cells;
    const chosen = withRoom(withRare(before ?? this.cellsBy(row), row), row);
    this.cells = chosen;
    const head = chosen === before ? [] : headOf(chosen);
    const cells = chosen.map((cell) => cellText(row, cell).padStart(cell.width));
    const figures = [String(row.index).padStart(4), ...cells].join(' ');
    const line = `${figures}  ${(row.verdict ?? '').padEnd(7)} ${row.label}`.trimEnd();
    const below = this.below(row);
    return [...head, line, ...below, ...this.ofDashes(row, chosen, below)];
  }

  /** Why figures of the row are dashes, where nothing below it says so yet; a table says the same once. */
  private ofDashes({ notMeasured }: Row, cells: readonly Cell[], below: readonly string[]): string[] {
    const headings = new Map<string, string[]>();
    for (const { metric } of cells) {
      const why = notMeasured[metric.id];
      if (why === undefined || below.some((line) => line.includes(why))) continue;
      headings.set(why, [...(headings.get(why) ?? []), metric.heading]);
    }
    const lines = [...headings].map(([why, of]) => `     ${of.join(', ')} not measured: ${why}`);
    const fresh = lines.filter((line) => !this.saidOfDashes.has(line));
    for (const line of fresh) this.saidOfDashes.add(line);
    return fresh;
  }

  /** By the first row, since only it says whether labels name the steps. */
  private cellsBy(row: Row): Cell[] {
    const shown = this.columns.filter((column) => {
      const value = scalarOf(row, column.metric);
      return !isSaid(column, row) && !isLongText(value) && !isWords(column);
    });
    const spreads = spreadsOf(this.columns);
    const beside = new Set([...spreads.values()].map(({ id }) => id));
    return shown
      .filter(({ metric }) => !beside.has(metric))
      .map(({ metric }) => cellOf(metricOf(metric), spreads.get(metric) ?? null));
  }

  /** Why a row is not PASS, what disturbed the instrument in one that is, and the texts that have no column. */
  private below(row: Row): string[] {
    const inCells = new Set(this.cells?.flatMap(({ metric, spread }) => [metric.id, spread?.id]));
    const texts = this.columns.flatMap((column) => {
      const text = String(scalarOf(row, column.metric) ?? '');
      const isBelow = inCells.has(column.metric) ? isLongText(scalarOf(row, column.metric)) : text !== '';
      return isBelow && !isSaid(column, row) ? [[metricOf(column.metric).heading, text] as const] : [];
    });
    const isPass = row.verdict === 'PASS';
    const reason = wordsOf(isPass ? row.reason.filter(({ code }) => guardCodes.has(code)) : row.reason);
    const isReported = texts.some(([, text]) => text === reason);
    return [
      ...(isReported || reason === '' ? [] : [`     ${reason}`]),
      ...texts.map(([heading, text]) => `     ${heading}: ${text}`),
    ];
  }
}

/** The same cells where the row has no figure but those that have a column. */
function withRare(cells: Cell[], row: Row): Cell[] {
  const place = cells.findIndex(({ metric }) => metric.id === beforeRare);
  const isShown = (id: string): boolean => cells.some(({ metric }) => metric.id === id);
  const added = rare.filter((id) => !isShown(id) && (numberOf(row, id) ?? 0) > 0);
  if (place < 0 || added.length === 0) return cells;
  const columns = added.map((id) => cellOf(metricOf(id), null));
  return [...cells.slice(0, place + 1), ...columns, ...cells.slice(place + 1)];
}

/** The same cells, wider where a figure of the row may be off by something. */
function withRoom(cells: Cell[], row: Row): Cell[] {
  const isNarrow = (cell: Cell): boolean => cell.width < offByWidth && offByOf(row, cell) !== null;
  return cells.some(isNarrow)
    ? cells.map((cell) => (isNarrow(cell) ? { ...cell, width: offByWidth } : cell))
    : cells;
}

/** How far the figure may be off; null: it is exact, or was not measured. */
function offByOf(row: Row, { metric }: Cell): number | null {
  if (metric.offBy === undefined || numberOf(row, metric.id) === null) return null;
  return numberOf(row, metric.offBy);
}

function headOf(cells: readonly Cell[]): string[] {
  const height = Math.max(1, ...cells.map(({ head }) => head.length));
  const lines = Array.from({ length: height }, (_, index) => {
    const texts = cells.map(({ head, width }) => (head[index - height + head.length] ?? '').padStart(width));
    const isLast = index === height - 1;
    return [isLast ? ' row' : '    ', ...texts].join(' ') + (isLast ? '  verdict' : '');
  });
  return lines.map((line) => line.trimEnd());
}

/** The row's label says what was set. */
function isSaid({ role }: Column, row: Row): boolean {
  return role === 'step' && row.label !== '';
}

/** Sentences about what was found are printed below the row. */
function isWords({ metric, role }: Column): boolean {
  return role === 'measure' && metricOf(metric).shape === 'words';
}

function isLongText(value: unknown): boolean {
  return typeof value === 'string' && value.length > longestText;
}

function cellOf(metric: Metric, spread: Metric | null): Cell {
  const words = metric.heading.split(' ');
  const unit = metric.unit === '' ? [] : [metric.unit];
  const least = spread ? spreadWidth : metric.unit === '' ? narrowest : figureWidth;
  const width = Math.max(least, ...[...words, ...unit].map((word) => word.length));
  return { metric, spread, width, head: [...wrapped(words, width), ...unit] };
}

function wrapped(words: readonly string[], width: number): string[] {
  const lines: string[] = [];
  for (const word of words) {
    const last = lines[lines.length - 1];
    if (last !== undefined && last.length + 1 + word.length <= width)
      lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}

/** A figure that was not measured is a dash, never 0. */
function cellText(row: Row, cell: Cell): string {
  const { metric, spread } = cell;
  const value = scalarOf(row, metric.id);
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value === 'string') return isLongText(value) ? '–' : value;
  if (value === null) return '–';
  const digits = Math.max(
    0,
    Math.min(metric.digits, mostDigits - Math.trunc(Math.abs(value)).toString().length),
  );
  const range = spread && numberOf(row, spread.id);
  const figure = metric.isEstimate && value > 0 ? `≈ ${value.toFixed(digits)}` : value.toFixed(digits);
  if (range !== null) return `${figure} ±${range.toFixed(digits)}`;
  const offBy = offByOf(row, cell);
  return offBy === null ? figure : `${figure} ± ${roundedUp(offBy, digits).toFixed(digits)}`;
}

/** It may be off by no more than is said. */
function roundedUp(value: number, digits: number): number {
  const scale = 10 ** digits;
  return Math.ceil(value * scale - 1e-9) / scale;
}
