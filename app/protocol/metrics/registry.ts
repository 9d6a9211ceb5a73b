import { codecQualityMetrics } from './codec-quality';
import { displayMetrics } from './display';
import { frameMetrics } from './frames';
import { linkMetrics } from './link';
import { hostLoadMetrics, instrumentMetrics } from './load';
import type { Metric } from './metric';
import { preflightMetrics } from './preflight';
import { receiverFanOutMetrics } from './receiver-fan-out';
import { soundMetrics } from './sound';
import { storageMetrics } from './storage';
import { streamLoadMetrics } from './stream-load';
import { timeMetrics } from './times';
import { transportMetrics } from './transport';

export { displayMetrics } from './display';
export type { Direction, Metric } from './metric';

/** Figures that every row of streams has: `id` is the path of its field in the row. */
export const rowMetrics: readonly Metric[] = [
  ...frameMetrics,
  ...timeMetrics,
  ...soundMetrics,
  ...hostLoadMetrics('sender', 'Sender'),
  ...hostLoadMetrics('receiver', 'Receiver'),
  ...instrumentMetrics,
];

/** Figures of one experiment alone: `id` is the key in a row's `values`. */
export const experimentMetrics: readonly Metric[] = [
  ...streamLoadMetrics,
  ...receiverFanOutMetrics,
  ...codecQualityMetrics,
  ...transportMetrics,
  ...linkMetrics.map(({ metric }) => metric),
  ...storageMetrics,
  ...preflightMetrics,
];

/**
 * The one registry of metrics: tooltips, table and CSV heads, the report's definitions and docs/metrics.md come from
 * here.
 */
export const metrics: readonly Metric[] = [...rowMetrics, ...experimentMetrics, ...displayMetrics];

const byId = new Map(metrics.map((metric) => [metric.id, metric]));

/** @throws Error for an id that is not registered: a figure without a definition must not be shown */
export function metricOf(id: string): Metric {
  const metric = byId.get(id);
  if (!metric) throw new Error(`No metric is registered as ${id}`);
  return metric;
}

/** The value at a metric's path in a row, or among its `values`; null where it was not measured. */
export function metricValue(row: object, id: string): number | null {
  const own = (row as { values?: Record<string, unknown> }).values?.[id];
  if (typeof own === 'number') return own;
  let value: unknown = row;
  for (const key of id.split('.')) value = (value as Record<string, unknown> | null | undefined)?.[key];
  return typeof value === 'number' ? value : null;
}

/** Heading with unit, for CSV heads and table columns. */
export function headingWithUnit(metric: Metric): string {
  return metric.unit === '' ? metric.heading : `${metric.heading} (${metric.unit})`;
}
