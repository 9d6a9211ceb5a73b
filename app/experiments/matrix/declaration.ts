import { z } from 'zod';
import { columnsOf, kindsOf } from '../../facts/column';
import { parsedBy } from '../../protocol/parsed-by';
import { type MachineName, machinesNamed, streamFields } from '../../protocol/stream-parameters';
import { chartsOfEach, type ExperimentDeclaration, type HeatMapDeclaration } from '../declaration';
import { streamRowSeconds, streamVerdictWords } from '../stream-table';

/** Parameters of the `matrix` experiment. */
export const matrixParameters = z.strictObject({
  on: z
    .string()
    .superRefine(parsedBy(machinesIn))
    .default('')
    .describe(
      'Machines of the fleet, 2 to 16, separated by commas; every pair is measured in both directions; "this machine" may be one of them',
    )
    .meta({ title: 'Machines, 2 to 16' }),
  link: z
    .boolean()
    .default(true)
    .describe('Measures the link of each pair by TCP and ping before its stream; every machine needs iperf3')
    .meta({ title: 'Measure the link too' }),
  leastMbps: z
    .number()
    .min(0.1)
    .max(1_000_000)
    .optional()
    .describe('A pair fails if TCP carries less than this from sender to receiver, Mb/s; default: no limit')
    .meta({ title: 'TCP rate needed to pass' }),
  format: streamFields.format.default('1920x1080@60'),
  name: streamFields.name,
  holdSeconds: streamFields.holdSeconds.default(3),
  warmUpSeconds: streamFields.warmUpSeconds.default(1),
});

export type MatrixParameters = z.infer<typeof matrixParameters>;

/** In their order; none if none was named. @throws WhitelineError BAD_INPUT */
export function machinesIn(on: string): readonly MachineName[] {
  return on === '' ? [] : machinesNamed(on);
}

/** To start the processes at both ends of a pair, to connect them, and to end them. */
const betweenPairsSeconds = 4;

/** iperf3 runs for a second at both ends, and has to be started there. */
const linkSeconds = 6;

/** How long one pair takes, s. */
export function pairSeconds(parameters: MatrixParameters): number {
  return betweenPairsSeconds + streamRowSeconds(parameters) + (parameters.link ? linkSeconds : 0);
}

export const matrixHeatMap: HeatMapDeclaration = {
  ...{ from: 'matrix.from', to: 'matrix.to' },
  ...{ lostPercent: 'matrix.lostPercent', rateMbps: 'bitrateMbps' },
  beside: ['matrix.linkMbps', 'matrix.rttMs', 'latencyMs.p99', 'longestGapMs'],
};

export const matrixDeclaration: ExperimentDeclaration<typeof matrixParameters> = {
  id: 'matrix',
  order: 15,
  title: 'Fleet matrix',
  purpose:
    'Between which machines of the fleet are frames lost? Each machine sends one stream to each other machine, one pair ' +
    'at a time, and every frame is followed. The worst pair is listed first, with its cause.',
  study: 'none: it checks a site on the morning of a show',
  parameters: matrixParameters,
  basic: ['on', 'link', 'leastMbps', 'format', 'holdSeconds'],
  columns: [
    ...kindsOf('matrix.from', 'matrix.to'),
    ...columnsOf('measure', 'matrix.linkMbps', 'matrix.rttMs', 'bitrateMbps', 'matrix.lostPercent'),
    ...columnsOf('count', 'framesSubmitted', 'framesReceived', 'framesDropped', 'framesSenderMissed'),
    ...columnsOf('measure', 'latencyMs.p99', 'longestGapMs'),
  ],
  heatMap: matrixHeatMap,
  charts: chartsOfEach('matrix.lostPercent', 'matrix.linkMbps', 'bitrateMbps', 'latencyMs.p99'),
  verdictWords: {
    ...streamVerdictWords,
    PASS: 'Flawless: every pair carried its stream, and no frame was lost.',
    FAIL: 'On at least one pair, frames were lost or not sent, or the stream never arrived.',
  },
  expectedSeconds(parameters) {
    const machines = machinesIn(parameters.on).length;
    return machines * (machines - 1) * pairSeconds(parameters);
  },
};
