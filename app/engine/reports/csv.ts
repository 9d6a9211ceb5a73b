import type { ExperimentDeclaration } from '../../protocol/experiments/declaration';
import { declarations } from '../../protocol/experiments/registry';
import { headingWithUnit, type Metric, metricOf, rowMetrics } from '../../protocol/metrics/registry';
import { rowValue } from '../../protocol/metrics/row-value';
import type { Missing } from '../../protocol/missing';
import { isStreamRow, type RunRow } from '../../protocol/row';
import type { Run } from '../../protocol/run';

/**
 * One line for each row (RFC 4180), empty where not measured; a row that is missing has one too, which says so. Streams:
 * every figure of a row and the experiment's own; anything else: the columns of the experiment. Ids, headings and units
 * come from the registry of metrics. A spreadsheet runs no text as a formula.
 */
export function csvOf(run: Pick<Run, 'experiment' | 'rows' | 'missing'>): string {
  const figures = figuresOf(run);
  const heads = [
    ...['row', 'label', 'verdict'],
    ...figures.map((metric) => `${metric.id} (${headingWithUnit(metric)})`),
    'reason',
  ];
  const lines = run.rows.map((row) =>
    [row.row, row.label, row.verdict, ...figures.map(({ id }) => rowValue(row, id) ?? ''), row.reason]
      .map(cell)
      .join(','),
  );
  const absent = missingLines(run.missing, figures.length);
  return `${[heads.map(cell).join(','), ...lines, ...absent].join('\n')}\n`;
}

/** The figures that the rows of a run may have, in the order of the registry, the experiment's own last. */
export function figuresOf({ experiment, rows }: Pick<Run, 'experiment' | 'rows'>): Metric[] {
  const own = ownColumns(experiment, rows);
  if (rows.length > 0 && !rows.some(isStreamRow)) return own.map(metricOf);
  const known = new Set(rowMetrics.map(({ id }) => id));
  return [...rowMetrics, ...own.filter((id) => !known.has(id)).map(metricOf)];
}

/** A run that `watch` or the live view wrote is of no experiment. */
function ownColumns(experiment: string, rows: readonly RunRow[]): string[] {
  const declaration: ExperimentDeclaration | undefined = declarations.find(({ id }) => id === experiment);
  const declared = (declaration?.columns ?? []).map(({ metric }) => metric);
  const recorded = rows.flatMap((row) => Object.keys(row.values ?? {})).filter(isRegistered);
  return [...new Set([...declared, ...recorded])];
}

function isRegistered(id: string): boolean {
  try {
    return metricOf(id).id === id;
  } catch {
    return false;
  }
}

function missingLines(missing: Missing | undefined, figures: number): string[] {
  if (!missing) return [];
  const { rows, rowNumbers } = missing;
  const line = (number: number | '', reason: string): string =>
    [number, '', 'INVALID', ...Array.from({ length: figures }, () => ''), reason].map(cell).join(',');
  const more = rows - rowNumbers.length;
  return [
    ...rowNumbers.map((number) => line(number, 'the row is missing or unreadable')),
    ...(more > 0
      ? [line('', `${more} more ${more === 1 ? 'row is' : 'rows are'} missing or unreadable`)]
      : []),
  ];
}

function cell(value: string | number | boolean): string {
  if (typeof value !== 'string' || value === '') return String(value);
  return `"${(isFormula(value) ? `'${value}` : value).replace(/"/g, '""')}"`;
}

/** What a spreadsheet would take for a formula, in full width too; a number alone is none. */
function isFormula(text: string): boolean {
  return (
    /^(?:[\t\r]|\s*[=+\-@\uff1d\uff0b\uff0d\uff20])/.test(text) && !/^\s*[+-]?\d+(?:\.\d+)?\s*$/.test(text)
  );
}
