import { codecQualityMetrics } from './codec-quality';
import { linkMetrics } from './link';
import type { Metric } from './metric';
import { preflightMetrics } from './preflight';
import { receiverFanOutMetrics } from './receiver-fan-out';
import { storageMetrics } from './storage';
import { streamLoadMetrics } from './stream-load';
import { transportMetrics } from './transport';

/** Figures of one experiment alone. */
export const experimentMetrics: readonly Metric[] = [
  ...streamLoadMetrics,
  ...receiverFanOutMetrics,
  ...codecQualityMetrics,
  ...transportMetrics,
  ...linkMetrics.map(({ metric }) => metric),
  ...storageMetrics,
  ...preflightMetrics,
];
