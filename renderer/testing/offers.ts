import { declarations } from '../../app/experiments/declarations';
import { metricOf, rowMetrics } from '../../app/facts/metrics/registry';
import type { ExperimentOffer } from '../../app/protocol/console';
import { fieldSchemaOf } from '../../app/protocol/field-schema';

/** All experiments as the engine offers them; one of them lacks its tool. */
export const offers: ExperimentOffer[] = declarations.map(
  ({ id, title, purpose, study, parameters, columns }) => ({
    ...{ id, title, purpose, study, parameters: fieldSchemaOf(parameters) },
    columns: columns.map(({ metric, role }) => {
      const { heading, unit, digits } = metricOf(metric);
      return { metric, role, heading, unit, digits };
    }),
    usesStreams: columns.some(({ metric }) => rowMetrics.some((known) => known.id === metric)),
    requirements:
      id === 'link'
        ? [
            {
              name: 'iperf3',
              missing: 'iperf3 is not installed. Install it (Debian: apt-get install iperf3)',
            },
          ]
        : [],
  }),
);
