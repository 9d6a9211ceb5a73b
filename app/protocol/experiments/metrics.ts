import type { Metric } from '../metrics/metric';
import { codecQualityMetrics } from './codec-quality/metrics';
import { fanOutMetrics } from './fan-out/metrics';
import { linkMetrics } from './link/metrics';
import { crosspointMetrics } from './nmos-scale/crosspoint-metrics';
import { nmosScaleMetrics } from './nmos-scale/metrics';
import { pacingMetrics } from './pacing/metrics';
import { preflightMetrics } from './preflight/metrics';
import { quietMetrics } from './quiet/metrics';
import { receiverFanOutMetrics } from './receiver-fan-out/metrics';
import { storageMetrics } from './storage/metrics';
import { streamLoadMetrics } from './stream-load/metrics';
import { transportMetrics } from './transport/metrics';

/** Figures of one experiment alone. */
export const experimentMetrics: readonly Metric[] = [
  ...streamLoadMetrics,
  ...receiverFanOutMetrics,
  ...codecQualityMetrics,
  ...transportMetrics,
  ...linkMetrics.map(({ metric }) => metric),
  ...storageMetrics,
  ...preflightMetrics,
  ...quietMetrics,
  ...pacingMetrics,
  ...fanOutMetrics,
  ...nmosScaleMetrics,
  ...crosspointMetrics,
];
