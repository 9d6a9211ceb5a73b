import { type Metric, metricValue } from '../../app/protocol/metrics/registry';
import { metricFigure } from '../format';
import { texts } from '../texts';

interface Props {
  metric: Metric;
  row: object & { notMeasured: Record<string, string> };
  className?: string;
}

/** A figure of a row; what was not measured is a dash with the reason behind it. */
export function MetricCell({ metric, row, className }: Props) {
  const value = metricValue(row, metric.id);
  const reason = value === null ? texts.table.notMeasured(row.notMeasured[metric.id]) : undefined;
  return (
    <td className={className} data-metric={metric.id} title={reason}>
      {metricFigure(value, metric)}
    </td>
  );
}

/** What a heading says when asked. */
export function metricHelp({ description, formula, source }: Metric): string {
  return `${description}\n= ${formula}\n(${source})`;
}
