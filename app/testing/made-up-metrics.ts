import type { Metric } from '../protocol/metrics/metric';

/** Figures of experiments that do not exist yet, of every shape that they will need. */

function metric(id: string, heading: string, unit = '', more: Partial<Metric> = {}): Metric {
  return {
    ...{ id, heading, unit, digits: unit === '' ? 0 : 2, direction: 'lower' },
    ...{ formula: 'made up', description: `${heading}, made up.`, source: 'a test' },
    ...more,
  };
}

export const madeUpMetrics: readonly Metric[] = [
  metric('linkMatrix.mbps', 'Pair throughput', 'Mb/s', { direction: 'higher' }),
  metric('linkMatrix.worstMbps', 'Worst pair', 'Mb/s', { direction: 'higher' }),
];
