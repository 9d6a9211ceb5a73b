import { type ExperimentDeclaration, spreadsOf } from '../../app/experiments/declaration';
import { type Metric, metricFor, metricOf } from '../../app/facts/metrics/registry';
import type { Row } from '../../app/facts/row';
import { numberOf, streamsOf } from '../../app/facts/row-figures';
import { texts } from '../texts';

/** One measure over the steps of a run. */
export interface StepSeries {
  metric: Metric;
  /** How far repeats lie apart, where the experiment reports it. */
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
  rows: readonly Row[],
): StepChartSpec[] {
  const spreads = spreadsOf(columns);
  return charts.flatMap(({ kind = 'steps', title, figures }) => {
    if (kind !== 'steps') return [];
    const series = figures
      .filter(({ metric }) => rows.some((row) => numberOf(row, metric) !== null))
      .map(({ metric, label }) => ({ metric: metricOf(metric), spread: spreads.get(metric) ?? null, label }));
    const [first] = series;
    if (!first) return [];
    const apart = withoutEqual(series, rows);
    // A chart of one series has no legend.
    const isOneOfSeveral = apart.length === 1 && figures.length > 1;
    const shown = isOneOfSeveral ? `${title}: ${apart[0]?.label}` : title;
    return [{ title: shown, unit: first.metric.unit, series: apart }];
  });
}

/** Series whose figures are the same, as those of a sender and a receiver on one machine, are one line with the names of all. */
function withoutEqual(series: readonly StepSeries[], rows: readonly Row[]): StepSeries[] {
  const byFigures = new Map<string, StepSeries>();
  for (const one of series) {
    const figures = JSON.stringify(rows.map((row) => numberOf(row, one.metric.id)));
    const same = byFigures.get(figures);
    byFigures.set(figures, same ? { ...same, label: texts.charts.both(same.label, one.label) } : one);
  }
  return [...byFigures.values()];
}

/** Rows that differ in one number alone, such as that of streams, are steps of one ramp, which a line joins. Those of one after another, as a watch has them, do not differ. */
export function rampOf(rows: readonly Row[]): Metric | null {
  const ids = new Set(rows.map(onlyNumber));
  const [id] = ids;
  if (ids.size !== 1 || !id) return null;
  const isSame = rows.length > 1 && new Set(rows.map(({ step }) => step[id])).size === 1;
  return isSame ? null : metricFor(id);
}

/** What alone was set for a row, where it is a number. */
function onlyNumber({ step, label }: Row): string | null {
  const [set, ...others] = Object.entries(step);
  return set && others.length === 0 && label === '' && typeof set[1] === 'number' ? set[0] : null;
}

/** What stands under the axis for a row: the number that a ramp sets, or the row's own number in the table. */
export function stepName(row: Row, ramp: Metric | null): string {
  return String(ramp ? row.step[ramp.id] : row.index);
}

/** What the tooltip of a figure says of its row. */
export function stepTitle(row: Row): string {
  const streams = streamsOf(row);
  const name = streams === null ? `${texts.report.row} ${row.index}` : texts.report.rowOf(row.index, streams);
  return row.label === '' ? name : `${name}: ${row.label}`;
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
