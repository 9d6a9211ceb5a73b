import type { Column as DeclaredColumn } from '../../app/protocol/experiments/declaration';
import { type Metric, metricOf } from '../../app/protocol/metrics/registry';
import { rowValue } from '../../app/protocol/metrics/row-value';
import { isStreamRow, type RunRow } from '../../app/protocol/row';
import { spreadsOf } from '../table/declared-columns';
import { texts } from '../texts';

/** One measure over the steps of a run. */
export interface StepSeries {
  metric: Metric;
  /** How far repeats lie apart, where the experiment tells it. */
  spread: Metric | null;
  /** In the legend; the metric's heading unless it is given. */
  label?: string;
}

export interface StepChartSpec {
  title: string;
  unit: string;
  series: StepSeries[];
}

/** More lines in one chart are not told apart. */
const mostSeries = 3;

/** Charts of an experiment's measures: those of one unit and one kind together, each with at least one figure. */
export function stepChartsOf(declared: readonly DeclaredColumn[], rows: readonly RunRow[]): StepChartSpec[] {
  const measures = declared.filter(({ role }) => role === 'measure').map(({ metric }) => metricOf(metric));
  const spreads = spreadsOf(declared);
  const drawn = measures.filter(({ id }) => rows.some((row) => typeof rowValue(row, id) === 'number'));
  const charts: StepChartSpec[] = [];
  for (const metric of drawn) {
    const kind = kindOf(metric);
    const spreadId = spreads.get(metric.id);
    const spread = spreadId === undefined ? null : metricOf(spreadId);
    const room = charts.find(
      ({ title, unit, series }) => title === kind && unit === metric.unit && series.length < mostSeries,
    );
    if (room) room.series.push({ metric, spread });
    else charts.push({ title: kind, unit: metric.unit, series: [{ metric, spread }] });
  }
  // A chart of one measure is named by it.
  return charts.map((chart) =>
    chart.series.length === 1 ? { ...chart, title: chart.series[0]?.metric.heading ?? chart.title } : chart,
  );
}

/** What measures of one chart have in common: sender and receiver of the same figure, or the first word. */
function kindOf({ heading }: Metric): string {
  const [first = '', ...rest] = heading.split(' ');
  const { sender, receiver } = texts.table.groups;
  return first === sender || first === receiver ? capital(rest.join(' ')) : first;
}

/** "Sender", where the chart's title says "CPU max" already. */
export function shortHeading({ heading }: Metric, title: string): string {
  const side = heading.split(' ')[0] ?? '';
  return heading.toLowerCase() === `${side} ${title}`.toLowerCase() ? side : heading;
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
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
