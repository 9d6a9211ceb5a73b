import { z } from 'zod';
import { columnsOf, kindsOf } from '../../facts/column';
import { hostOf } from '../../protocol/network-address';
import { parsedBy } from '../../protocol/parsed-by';
import { streamFields } from '../../protocol/stream-parameters';
import { chartOf, chartsOfEach, type ExperimentDeclaration } from '../declaration';
import { streamRowSeconds, streamVerdictWords } from '../stream-table';

/** Ways in which NDI carries its pictures, as its configuration names them; tcp: several TCP connections. */
export const transports = ['rudp', 'tcp', 'udp', 'multicast'] as const;
export type Transport = (typeof transports)[number];

export const transportParameters = z.strictObject({
  ...streamFields,
  transports: z
    .array(z.enum(transports))
    .min(1)
    .max(transports.length)
    .optional()
    .describe(
      'Transports to compare: rudp, tcp (several connections), udp, multicast; each is measured in processes of its own; ' +
        'default: all that can run here; multicast needs receiverNamespace',
    )
    .meta({ title: 'Transports to compare' }),
  runtimes: z
    .array(z.string().min(1).max(4096))
    .min(1)
    .max(4)
    .optional()
    .describe('Paths of NDI libraries to compare; default: the one that this machine uses')
    .meta({ title: 'NDI libraries to compare' }),
  maxStreams: z
    .int()
    .min(1)
    .max(64)
    .default(2)
    .describe('Number of streams in the last row of each transport')
    .meta({ title: 'Streams at most' }),
  receiverNamespace: z
    .string()
    .min(1)
    .max(4096)
    .optional()
    .describe(
      'Path of a network namespace in which the receivers run, for example /run/netns/display; Linux, as root; default: loopback',
    )
    .meta({ title: 'Network namespace of receivers' }),
  senderAddress: z
    .string()
    .superRefine(parsedBy((text) => hostOf(text, 'senderAddress')))
    .optional()
    .describe('Address of this machine at which receivers in another namespace find the senders')
    .meta({ title: 'Address of the senders' }),
});

export type TransportParameters = z.infer<typeof transportParameters>;

/** What a run compares, and in words what it leaves out, and why; null: nothing. */
export function comparedTransports({
  transports: asked,
  receiverNamespace,
}: Pick<TransportParameters, 'transports' | 'receiverNamespace'>): {
  compared: readonly Transport[];
  leftOut: string | null;
} {
  if (asked || receiverNamespace) return { compared: asked ?? transports, leftOut: null };
  return {
    compared: transports.filter((one) => one !== 'multicast'),
    leftOut:
      'multicast was left out, because NDI does not use it between processes of one machine; it needs receivers in a network namespace',
  };
}

export const transportDeclaration: ExperimentDeclaration<typeof transportParameters> = {
  id: 'transport',
  order: 40,
  title: 'Transport',
  purpose:
    'Which NDI transport (RUDP, several TCP connections, UDP, multicast) or NDI runtime loses less, and at what cost and latency? ' +
    'The same ramp runs over each, in processes with an NDI configuration of their own. The sockets of those processes show ' +
    'which transport NDI really used. If that is not the one that was asked for, the row is INVALID.',
  study: 'NDI performance testing, Derivative / Cocolabs, October 2019: one NDI version against another',
  parameters: transportParameters,
  basic: ['source', 'format', 'transports', 'maxStreams', 'holdSeconds'],
  columns: [
    ...kindsOf('streams'),
    ...columnsOf('step', 'transport.asked', 'transport.runtimeNumber', 'transport.runtime'),
    ...columnsOf('verdict', 'transport.seen'),
    ...columnsOf('count', 'framesSubmitted', 'framesReceived', 'framesDropped', 'framesSenderMissed'),
    ...columnsOf('measure', 'sender.cpuMeanPercent', 'sender.cpuProcessMaxPercent'),
    ...columnsOf('measure', 'receiver.cpuProcessMaxPercent', 'transport.networkMbps', 'transport.tcpMbps'),
    ...columnsOf('measure', 'latencyMs.p50', 'latencyMs.p99', 'longestGapMs'),
    ...columnsOf('count', 'transport.tcpConnections', 'transport.udpSockets'),
  ],
  terminal: [
    ...['transport.seen', 'framesSubmitted', 'framesReceived', 'framesDropped', 'framesSenderMissed'],
    ...[
      'sender.cpuMeanPercent',
      'transport.networkMbps',
      'transport.tcpMbps',
      'latencyMs.p99',
      'longestGapMs',
    ],
  ],
  charts: [
    ...chartsOfEach('sender.cpuMeanPercent'),
    chartOf('Process CPU', {
      ...{ Sender: 'sender.cpuProcessMaxPercent', Receiver: 'receiver.cpuProcessMaxPercent' },
    }),
    chartOf('Network', { All: 'transport.networkMbps', 'Over TCP': 'transport.tcpMbps' }),
    chartOf('Latency', { p50: 'latencyMs.p50', p99: 'latencyMs.p99' }),
    ...chartsOfEach('longestGapMs'),
  ],
  verdictWords: streamVerdictWords,
  expectedSeconds(parameters) {
    const { runtimes = [], maxStreams } = parameters;
    const rows =
      1 + comparedTransports(parameters).compared.length * Math.max(1, runtimes.length) * maxStreams;
    return rows * streamRowSeconds(parameters);
  },
};
