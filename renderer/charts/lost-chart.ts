import type { Row } from '../../app/facts/row';
import { isOfStreams, numberOf } from '../../app/facts/row-figures';
import { texts } from '../texts';
import { type StepChartSpec, stepChartsOf } from './step-series';

/** What streams lost over the steps, of each kind that was lost; null where nothing was, or there are no steps. */
export function lostChart(rows: readonly Row[]): StepChartSpec | null {
  const { title, figures } = texts.streams.result.lostChart;
  const ofStreams = rows.filter(isOfStreams);
  const lost = figures.filter(({ metric }) => ofStreams.some((row) => (numberOf(row, metric) ?? 0) > 0));
  if (ofStreams.length < 2) return null;
  // A chart of one series has no legend: what it is stands in the title.
  const [only, ...others] = lost;
  const named = only && others.length === 0 ? `${title}: ${only.label}` : title;
  const [spec = null] = stepChartsOf({ charts: [{ title: named, figures: lost }], columns: [] }, ofStreams);
  return spec;
}
