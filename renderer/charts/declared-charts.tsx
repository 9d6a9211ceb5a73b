import type { ChartDeclaration } from '../../app/experiments/declaration';
import { metricFor } from '../../app/facts/metrics/registry';
import type { Row } from '../../app/facts/row';
import { countedRows } from '../../app/facts/row-labels';
import { Curves } from './curves';
import { LineChart } from './line-chart';
import { linesOfSeries } from './lines';
import { Histograms } from './time-histograms';

interface Props {
  charts: readonly ChartDeclaration[];
  rows: readonly Row[];
}

/** The charts of an experiment that are not over its steps: what a single row measured many times. */
export function DeclaredCharts({ charts, rows: all }: Props) {
  const rows = countedRows(all);
  return charts.map((chart) => {
    const {
      kind = 'steps',
      title,
      figures: [first],
      over = '',
    } = chart;
    if (!first) return null;
    const metric = metricFor(first.metric);
    if (kind === 'series') {
      const { heading = '', unit = '' } = metric.over ?? {};
      const axis = [heading, unit].filter(Boolean).join(', ');
      const lines = linesOfSeries(rows, metric);
      return <LineChart key={title} title={title} metric={metric} lines={lines} axis={axis} />;
    }
    if (kind === 'curves')
      return <Curves key={title} chart={chart} metric={metric} over={over} rows={rows} />;
    if (kind === 'histogram') return <Histograms key={title} metric={metric} rows={rows} />;
    return null;
  });
}
