import { type ExperimentDeclaration, spreadsOf } from '../../app/protocol/experiments/declaration';
import { type Metric, metricOf } from '../../app/protocol/metrics/registry';
import { rowValue } from '../../app/protocol/metrics/row-value';
import { isStreamRow, type RunRow } from '../../app/protocol/row';
import { texts } from '../texts';

/** One measure over the steps of a run. */
export interface StepSeries {
  metric: Metric;
  /** How far repeats lie apart, where the experiment tells it. */
  spread: Metric | null;
  /** In the legend. */
  label: string;
}

export interface StepChartSpec {
  title: string;
  unit: string;
  series: StepSeries[];
}

/** The charts that an experiment declares, without figures that no row has. */
export function stepChartsOf(
  { charts, columns }: Pick<ExperimentDeclaration, 'charts' | 'columns'>,
  rows: readonly RunRow[],
): StepChartSpec[] {
  const spreads = spreadsOf(columns);
  return charts.flatMap(({ title, figures }) => {
    const series = figures
      .filter(({ metric }) => rows.some((row) => typeof rowValue(row, metric) === 'number'))
      .map(({ metric, label }) => ({ metric: metricOf(metric), spread: spreads.get(metric) ?? null, label }));
    const [first] = series;
    if (!first) return [];
    // A chart of one series has no legend.
    const isOneOfSeveral = series.length === 1 && figures.length > 1;
    return [{ title: isOneOfSeveral ? `${title}: ${first.label}` : title, unit: first.metric.unit, series }];
  });
}

/** Rows that differ in the number of streams alone are steps of one ramp, which a line joins. */
export function isRamp(rows: readonly RunRow[]): boolean {
  return rows.every((row) => isStreamRow(row) && row.label === '');
}

/** What stands under the axis for a row: the number of streams of a ramp, or the row's own number in the table. */
export function stepName(row: RunRow): string {
  return isStreamRow(row) && row.label === '' ? String(row.streams) : String(row.row);
}

/** What the tooltip of a figure says of its row. */
export function stepTitle(row: RunRow): string {
  const streams = isStreamRow(row)
    ? texts.report.rowOf(row.row, row.streams)
    : `${texts.report.row} ${row.row}`;
  return row.label === '' ? streams : `${streams}: ${row.label}`;
}

/** Round numbers for an axis that reach at least from the smallest value (0 or below) to the largest. */
export function axisTicks(smallest: number, largest: number, most = 4): number[] {
  const span = largest - smallest;
  if (!(span > 0)) return [0, 1];
  const power = 10 ** Math.floor(Math.log10(span / most));
  const step =
    ([1, 2, 2.5, 5, 10].find((factor) => factor * power * most >= span * (1 - 1e-9)) ?? 10) * power;
  const first = Math.floor(smallest / step + 1e-9);
  const last = Math.ceil(largest / step - 1e-9);
  return Array.from({ length: last - first + 1 }, (_, index) => (first + index) * step);
}
