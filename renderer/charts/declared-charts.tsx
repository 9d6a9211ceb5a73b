import type { ChartDeclaration } from '../../app/protocol/experiments/declaration';
import { metricFor } from '../../app/protocol/metrics/registry';
import type { Row } from '../../app/protocol/row';
import { PairsTable } from './pairs-table';
import { SeriesChart } from './series-chart';
import { Histograms } from './time-histograms';

interface Props {
  charts: readonly ChartDeclaration[];
  rows: readonly Row[];
}

/** The charts of an experiment that are not over its steps: what a single row measured many times. */
export function DeclaredCharts({ charts, rows }: Props) {
  return charts.map(({ kind = 'steps', title, figures: [first] }) => {
    if (!first) return null;
    const metric = metricFor(first.metric);
    const [newest] = rows.slice(-1);
    if (kind === 'series') return <SeriesChart key={title} title={title} metric={metric} rows={rows} />;
    if (kind === 'histogram') return <Histograms key={title} metric={metric} rows={rows} />;
    if (kind === 'pairs' && newest)
      return <PairsTable key={title} title={title} metric={metric} row={newest} />;
    return null;
  });
}
