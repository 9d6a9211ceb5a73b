import { costMethods, streamCosts } from '../../app/protocol/experiments/stream-load/metrics';
import { metricOf } from '../../app/protocol/metrics/registry';
import type { Row } from '../../app/protocol/row';
import { StepChart } from '../charts/step-chart';
import charts from '../charts/step-chart.module.css';
import type { StepChartSpec } from '../charts/step-series';
import { RunTable } from '../table/run-table';
import { texts } from '../texts';

const costMetrics = new Set(streamCosts.flatMap(({ perStream, added }) => [perStream, added]));

/** Whether a chart says what one stream more costs. */
export function isOfCosts({ series }: StepChartSpec): boolean {
  return series.some(({ metric }) => costMetrics.has(metric.id));
}

interface Props {
  rows: readonly Row[];
  /** Those of costs, each of a load that was measured. */
  specs: readonly StepChartSpec[];
}

/** What each stream costs: by the line through all rows, and by the stream added last. */
export function MarginalCosts({ rows, specs }: Props) {
  const measured = new Set(specs.flatMap(({ series }) => series.map(({ metric }) => metric.id)));
  const shown = streamCosts.filter(({ perStream, added }) => measured.has(perStream) || measured.has(added));
  const groups = (['perStream', 'added'] as const).map((method) => ({
    heading: costMethods[method],
    columns: shown.map((cost) => ({ metric: metricOf(cost[method]), heading: cost.name })),
  }));
  return (
    <>
      <RunTable
        rows={rows}
        columns={groups}
        lead={texts.table.streams}
        caption={texts.report.costs}
        showsReason={false}
      />
      <div className={charts.charts} style={{ marginTop: '1rem' }}>
        {specs.map((spec) => (
          <StepChart key={spec.title} spec={spec} rows={rows} />
        ))}
      </div>
    </>
  );
}
