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
    .describe(
      'Measures the link of each pair by TCP and ping before its stream; it takes iperf3 on each machine',
    )
    .meta({ title: 'Measure the link too' }),
  leastMbps: z
    .number()
    .min(0.1)
    .max(1_000_000)
    .optional()
    .describe(
      'What TCP has to carry from the sender to the receiver, Mb/s; below it the pair fails; default: no limit',
    )
    .meta({ title: 'TCP rate needed to pass' }),
  format: streamFields.format.default('1920x1080@60'),
  name: streamFields.name,
  holdSeconds: streamFields.holdSeconds.default(3),
  warmUpSeconds: streamFields.warmUpSeconds.default(1),
});

export type MatrixParameters = z.infer<typeof matrixParameters>;

/** In their order; none where none was named. @throws WhitelineError BAD_INPUT */
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
    'Which pair of machines of the fleet does not carry a stream? One stream goes from each machine to each other one, pair ' +
    'after pair, and every frame is followed; the worst pair stands first, with its cause.',
  study: 'none: the check of a site on the morning of a show',
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
    FAIL: 'Between the machines of a pair frames were lost or not sent, or the stream never came.',
  },
  expectedSeconds(parameters) {
    const machines = machinesIn(parameters.on).length;
    return machines * (machines - 1) * pairSeconds(parameters);
  },
};
