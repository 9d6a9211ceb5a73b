// Generated from the folders beside it: `vitest -u` writes it, and so does `npm run new`.
import type { Metric } from '../facts/metrics/metric';
import { codecQualityMetrics } from './codec-quality/metrics';
import { codecQualityReasons } from './codec-quality/reasons';
import { fanOutMetrics } from './fan-out/metrics';
import { fanOutReasons } from './fan-out/reasons';
import { linkMetrics } from './link/metrics';
import { linkReasons } from './link/reasons';
import { matrixMetrics } from './matrix/metrics';
import { matrixReasons } from './matrix/reasons';
import { nmosScaleMetrics } from './nmos-scale/metrics';
import { nmosScaleReasons } from './nmos-scale/reasons';
import { pacingMetrics } from './pacing/metrics';
import { pacingReasons } from './pacing/reasons';
import { preflightMetrics } from './preflight/metrics';
import { preflightReasons } from './preflight/reasons';
import { quietMetrics } from './quiet/metrics';
import { quietReasons } from './quiet/reasons';
import { receiverFanOutMetrics } from './receiver-fan-out/metrics';
import { storageMetrics } from './storage/metrics';
import { storageReasons } from './storage/reasons';
import { streamLoadMetrics } from './stream-load/metrics';
import { transportMetrics } from './transport/metrics';
import { transportReasons } from './transport/reasons';

/** Figures of one experiment alone. */
export const experimentMetrics: readonly Metric[] = [
  ...codecQualityMetrics,
  ...fanOutMetrics,
  ...linkMetrics,
  ...matrixMetrics,
  ...nmosScaleMetrics,
  ...pacingMetrics,
  ...preflightMetrics,
  ...quietMetrics,
  ...receiverFanOutMetrics,
  ...storageMetrics,
  ...streamLoadMetrics,
  ...transportMetrics,
];

/** Why rows of one experiment alone have their verdicts, in words. */
export const experimentReasons = {
  ...codecQualityReasons,
  ...fanOutReasons,
  ...linkReasons,
  ...matrixReasons,
  ...nmosScaleReasons,
  ...pacingReasons,
  ...preflightReasons,
  ...quietReasons,
  ...storageReasons,
  ...transportReasons,
};
