import { experimentMetrics } from '../../experiments/facts';
import { displayMetrics } from './display';
import { frameMetrics } from './frames';
import { hostLoadMetrics, instrumentMetrics } from './load';
import type { Metric } from './metric';
import { recordMetrics } from './records';
import { soundMetrics } from './sound';
import { timeMetrics } from './times';

export { displayMetrics } from './display';
export type { Direction, Metric } from './metric';

/** Load of a host: `id` is the role there, a dot, and the figure's name in the row's `load`. */
export const loadMetrics: readonly Metric[] = [
  ...hostLoadMetrics('sender', 'Sender'),
  ...hostLoadMetrics('receiver', 'Receiver'),
  ...instrumentMetrics,
];

/** Figures that every row of streams has: `id` is the path of its field in the row. */
export const rowMetrics: readonly Metric[] = [
  ...frameMetrics,
  ...timeMetrics,
  ...soundMetrics,
  ...loadMetrics,
];

/**
 * The one registry of metrics: tooltips, table and CSV heads, the report's definitions and the tables of docs come from
 * here.
 */
export const metrics: readonly Metric[] = [
  ...rowMetrics,
  ...recordMetrics,
  ...experimentMetrics,
  ...displayMetrics,
];

const byId = new Map(metrics.map((metric) => [metric.id, metric]));

/** @throws Error for an id that is not registered: a figure without a definition must not be shown */
export function metricOf(id: string): Metric {
  const metric = byId.get(id);
  if (!metric) throw new Error(`No metric is registered as ${id}`);
  return metric;
}

/** The same for what a newer version may have recorded: a figure without a definition here stands under its own id. */
export function metricFor(id: string): Metric {
  const metric = byId.get(id);
  if (metric) return metric;
  return {
    ...{ id, heading: id, unit: '', digits: 3, direction: 'none' },
    formula: 'not known to this version of Whiteline',
    description: 'A newer version of Whiteline recorded this figure.',
    source: 'run folder',
  };
}

/** Whether the figure stands in one cell of a table. */
export function isCell({ shape }: Metric): boolean {
  return shape === undefined || shape === 'words' || shape === 'flag';
}

/**
 * What is lost, late or spoilt: each that a run counted is compared with other runs, whether a table has it or not. A detail
 * splits what another figure counts in all.
 */
export function isFlaw({ whole, direction, isDetail }: Metric): boolean {
  return whole === true && direction === 'lower' && !isDetail;
}

/** All of them; what the machine's interfaces counted may be of any program. */
export const flawMetrics: readonly Metric[] = metrics.filter(
  (metric) => isFlaw(metric) && !loadMetrics.includes(metric),
);

/** Heading with unit, for CSV heads and table columns. */
export function headingWithUnit({ heading, unit }: Pick<Metric, 'heading' | 'unit'>): string {
  return unit === '' ? heading : `${heading} (${unit})`;
}
