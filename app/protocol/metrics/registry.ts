import { frameMetrics } from './frames';
import { hostLoadMetrics, instrumentMetrics } from './load';
import type { Metric } from './metric';
import { soundMetrics } from './sound';
import { timeMetrics } from './times';

export type { Direction, Metric } from './metric';

/**
 * The one registry of metrics: tooltips, table and CSV heads, the report's definitions and docs/metrics.md come from
 * here. `id` is the path of the figure in a row of `rows.jsonl`.
 */
export const metrics: readonly Metric[] = [
  ...frameMetrics,
  ...timeMetrics,
  ...soundMetrics,
  ...hostLoadMetrics('sender', 'Sender'),
  ...hostLoadMetrics('receiver', 'Receiver'),
  ...instrumentMetrics,
];

const byId = new Map(metrics.map((metric) => [metric.id, metric]));

/** @throws Error for an id that is not registered: a figure without a definition must not be shown */
export function metricOf(id: string): Metric {
  const metric = byId.get(id);
  if (!metric) throw new Error(`No metric is registered as ${id}`);
  return metric;
}

/** The value at a metric's path in a row, null where it was not measured. */
export function metricValue(row: object, id: string): number | null {
  let value: unknown = row;
  for (const key of id.split('.')) value = (value as Record<string, unknown> | null | undefined)?.[key];
  return typeof value === 'number' ? value : null;
}

/** Heading with unit, for CSV heads and table columns. */
export function headingWithUnit(metric: Metric): string {
  return metric.unit === '' ? metric.heading : `${metric.heading} (${metric.unit})`;
}
