import { type Metric, metricValue } from '../../app/protocol/metrics/registry';
import { metricFigure } from '../format';
import { texts } from '../texts';

interface Props {
  metric: Metric;
  row: object & { notMeasured: Record<string, string> };
  className?: string;
  /** What the figure is, where no heading says it. */
  help?: string;
}

/** A figure of a row; what was not measured is a dash with the reason behind it. */
export function MetricCell({ metric, row, className, help }: Props) {
  const value = metricValue(row, metric.id);
  const title = value === null ? texts.table.notMeasured(row.notMeasured[metric.id]) : help;
  return (
    <td className={className} data-metric={metric.id} title={title}>
      {metricFigure(value, metric)}
    </td>
  );
}

/** What a heading says when asked. */
export function metricHelp({ description, formula, source }: Metric): string {
  return `${description}\n= ${formula}\n(${source})`;
}
