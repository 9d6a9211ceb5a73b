import { z } from 'zod';
import { columnsOf } from '../../facts/column';
import { machineNameSchema, placeFields, streamFields } from '../../protocol/stream-parameters';
import { type ChartDeclaration, chartOf, type ExperimentDeclaration, nothingSaid } from '../declaration';

/**
 * timer: sleeps to each packet’s time; spin: wakes before it and reads the clock until it has come; txtime: hands packets over with
 * their times, ahead of them; burst: hands over 10 ms of packets at once.
 */
export const pacingMethods = ['timer', 'spin', 'txtime', 'burst'] as const;
export type PacingMethod = (typeof pacingMethods)[number];

/** Stream classes of IEEE 802.1Qav: the time between packets, and the longest transit. */
export const streamClasses = {
  A: { intervalUs: 125, maxTransitMs: 2 },
  B: { intervalUs: 250, maxTransitMs: 50 },
} as const;

/** Of an interface of Linux. */
const interfaceName = z
  .string()
  .max(15)
  .regex(/^(?!-)[^\s/:]*$/);

/** Parameters of the `pacing` experiment. */
export const pacingParameters = z.strictObject({
  methods: z
    .array(z.enum(pacingMethods))
    .min(1)
    .max(pacingMethods.length)
    .default([...pacingMethods])
    .describe('How the sender times its packets, a row for each method')
    .meta({ title: 'Pacing methods' }),
  packetsPerWakeUp: z
    .array(z.int().min(1).max(256))
    .min(1)
    .max(8)
    .default([1])
    .describe('Packets sent each time the sender wakes, a row for each number; burst uses its own number')
    .meta({ title: 'Packets per wake-up' }),
  beside: z
    .enum(['nothing', 'stream-load'])
    .default('nothing')
    .describe('stream-load: NDI streams use the same path at the same time')
    .meta({ title: 'Run at the same time' }),
  streams: z
    .array(z.int().min(0).max(16))
    .min(1)
    .max(8)
    .default([0, 1, 2])
    .describe('NDI streams that run beside the packets; all rows are measured for each number')
    .meta({ title: 'NDI streams at the same time' }),
  source: streamFields.source,
  format: streamFields.format,
  holdSeconds: z
    .number()
    .min(0.5)
    .max(86_400)
    .default(300)
    .describe('Length of each row, s')
    .meta({ title: 'Time per row' }),
  repeats: z
    .int()
    .min(1)
    .max(100)
    .default(1)
    .describe('How often all rows are measured')
    .meta({ title: 'Repeats of all rows' }),
  interface: interfaceName
    .default('')
    .describe(
      'Network interface that sends; default: a pair of virtual interfaces (veth) that the run creates',
    )
    .meta({ title: 'Sending interface' }),
  peerInterface: interfaceName
    .default('')
    .describe('Network interface of this machine that receives; give both or neither')
    .meta({ title: 'Receiving interface' }),
  listenInterface: interfaceName
    .default('')
    .describe('Network interface on which another sender’s stream is measured; this run then sends nothing')
    .meta({ title: 'Interface to listen on' }),
  streamId: z
    .string()
    .regex(/^([\da-f]{1,16})?$/i)
    .default('')
    .describe('Id of the stream to listen to, hexadecimal; default: the first stream that arrives')
    .meta({ title: 'Stream to listen to' }),
  path: z
    .enum(['ethernet', 'udp'])
    .default('ethernet')
    .describe('ethernet: raw frames; udp: datagrams over loopback, which need no privileges')
    .meta({ title: 'Kind of packets' }),
  streamClass: z
    .enum(['A', 'B'])
    .default('A')
    .describe('A: a packet every 125 µs, transit of 2 ms at most; B: every 250 µs, 50 ms at most')
    .meta({ title: 'Stream class' }),
  intervalUs: z
    .number()
    .min(20)
    .max(100_000)
    .optional()
    .describe('Time from one packet to the next, µs; default: that of the stream class')
    .meta({ title: 'Packet interval' }),
  rateHz: z
    .int()
    .min(8000)
    .max(192_000)
    .default(48_000)
    .describe('Sampling rate of the sound, Hz')
    .meta({ title: 'Sampling rate' }),
  channels: z
    .int()
    .min(1)
    .max(64)
    .default(2)
    .describe('Channels of the sound')
    .meta({ title: 'Sound channels' }),
  bits: z
    .int()
    .min(16)
    .max(32)
    .multipleOf(8)
    .default(16)
    .describe('Bits of a sample: 16, 24 or 32')
    .meta({ title: 'Bits per sample' }),
  vlanId: z
    .int()
    .min(0)
    .max(4094)
    .optional()
    .describe('Frames get a VLAN tag with this number')
    .meta({ title: 'VLAN number' }),
  vlanPriority: z
    .int()
    .min(0)
    .max(7)
    .default(3)
    .describe('Priority of frames, in their VLAN tag and for the queues of the interface')
    .meta({ title: 'VLAN priority' }),
  maxTransitMs: z
    .number()
    .min(0.1)
    .max(1000)
    .optional()
    .describe(
      'Time from when a packet is due to the presentation of its sound, ms; default: that of the stream class',
    )
    .meta({ title: 'Transit time allowed' }),
  presentationToleranceMs: z
    .number()
    .min(0)
    .max(1000)
    .default(0)
    .describe('How long after its presentation time a packet still counts as in time, ms')
    .meta({ title: 'Lateness allowed' }),
  spinLeadUs: z
    .number()
    .min(5)
    .max(10_000)
    .default(60)
    .describe('Method spin: how long before a packet is due the sender wakes, µs')
    .meta({ title: 'Spin early by' }),
  launchLeadUs: z
    .number()
    .min(100)
    .max(100_000)
    .default(500)
    .describe('Method txtime: how long before a packet is due it goes to the kernel, µs')
    .meta({ title: 'Txtime early by' }),
  priority: z
    .enum(['real-time', 'ordinary'])
    .default('real-time')
    .describe('real-time: the sending thread runs before all ordinary threads (SCHED_FIFO)')
    .meta({ title: 'Priority of the sender' }),
  memory: z
    .enum(['locked', 'ordinary'])
    .default('locked')
    .describe('locked: the sender’s memory is never swapped out')
    .meta({ title: 'Memory of the sender' }),
  core: z
    .int()
    .min(0)
    .max(1023)
    .optional()
    .describe('Processor core on which the sending thread stays; default: the last one')
    .meta({ title: 'Processor core' }),
  stamps: z
    .enum(['hardware', 'software'])
    .default('hardware')
    .describe('hardware: stamps of the network card if it has them, otherwise of the kernel')
    .meta({ title: 'Time stamps' }),
  transmitStamps: z
    .boolean()
    .optional()
    .describe('The kernel reports when it gave each packet to the driver; this costs the sender time')
    .meta({ title: 'Stamp what is sent' }),
  rawLog: z
    .boolean()
    .optional()
    .describe('Writes the number and time of each packet to a file in the run’s folder, one file per row')
    .meta({ title: 'Log every packet' }),
  sendOn: placeFields.sendOn,
  receiveOn: machineNameSchema
    .optional()
    .describe('Machine of the fleet that receives; default: this one. Packets go there by UDP')
    .meta({ title: 'Receive on machine' }),
});

export type PacingParameters = z.infer<typeof pacingParameters>;

const spreads = ['sdNs', 'rangeNs', 'iqrNs', 'p001Ns', 'p999Ns'];
const interval = (name: string): string => `pacing.interval.${name}`;

/** Streams and intervals: does video disturb sound? */
function overStreams(label: string, name: string): ChartDeclaration {
  const chart = chartOf(`Intervals against streams beside: ${label}`, { [label]: interval(name) });
  return { ...chart, kind: 'curves', over: 'pacing.streamsBeside' };
}

export const pacingDeclaration: ExperimentDeclaration<typeof pacingParameters> = {
  id: 'pacing',
  order: 90,
  title: 'Packet pacing',
  purpose:
    'How regular are packets on the wire? An audio stream sends one packet every 125 µs, paced by a timer, by spinning, by launch ' +
    'times where the network card takes them, or not at all. The receive stamps of the kernel or the card give the whole distribution of the intervals, and how many packets a listener would have missed. Each row also says what delayed the sender.',
  study: 'Transmit pacing with SO_TXTIME and ETF, ALSA AAF plug-in (AVTP over TSN), December 2018',
  parameters: pacingParameters,
  basic: ['methods', 'interface', 'peerInterface', 'listenInterface', 'beside', 'holdSeconds'],
  renamedParameters: { durationSeconds: 'holdSeconds', listen: 'listenInterface' },
  columns: [
    ...columnsOf('step', 'pacing.method', 'pacing.packetsPerWakeUp', 'pacing.streamsBeside'),
    ...columnsOf('measure', ...['meanNs', 'sdNs', 'minNs', 'maxNs', 'rangeNs'].map(interval)),
    ...columnsOf('measure', ...['iqrNs', 'p001Ns', 'p50Ns', 'p99Ns', 'p999Ns', 'p9999Ns'].map(interval)),
    ...columnsOf('measure', ...spreads.map((name) => `pacing.undisturbed.${name}`), 'pacing.excludedPercent'),
    ...columnsOf('count', 'pacing.packetsSent', 'pacing.packetsLost', 'pacing.packetsReordered'),
    ...columnsOf('count', 'pacing.packetsDuplicated', 'pacing.packetsEarly', 'pacing.packetsLate'),
    ...columnsOf('count', 'pacing.longestLateRun'),
    ...columnsOf('measure', 'pacing.missedPercent', 'pacing.timeIntervalErrorNs'),
    ...columnsOf('measure', ...spreads.map((name) => `pacing.submit.${name}`)),
    ...columnsOf('measure', ...spreads.map((name) => `pacing.transmit.${name}`)),
    ...columnsOf('count', 'pacing.holds', 'pacing.stolenWindows', 'pacing.foreignPackets'),
    ...columnsOf('count', 'pacing.damagedPackets', 'pacing.overflowed'),
    ...columnsOf('measure', 'pacing.wakeUpsPerSecond', 'pacing.senderCpuPercent'),
    ...columnsOf('measure', 'pacing.receiverCpuPercent', 'pacing.slewPpm'),
    ...columnsOf('measure', 'pacing.pathMbps'),
    ...columnsOf('count', 'pacing.besideFramesReceived', 'pacing.besideFramesMissing'),
    ...columnsOf('measure', 'pacing.path', 'pacing.stamps', 'pacing.policy'),
  ],
  terminal: [
    ...['pacing.method', 'pacing.packetsPerWakeUp'],
    ...['meanNs', 'sdNs', 'minNs', 'maxNs', 'rangeNs', 'iqrNs'].map(interval),
    ...['pacing.packetsSent', 'pacing.packetsLost', 'pacing.packetsEarly', 'pacing.packetsLate'],
    'pacing.senderCpuPercent',
  ],
  charts: [
    { ...chartOf('Distribution of the intervals', { Interval: 'pacing.interval.curve' }), kind: 'series' },
    {
      ...chartOf('Histogram of the intervals', { Interval: 'pacing.interval.histogram' }),
      kind: 'histogram',
    },
    {
      ...chartOf('Extremes of each second', {
        longest: 'pacing.interval.longestUs',
        shortest: 'pacing.interval.shortestUs',
      }),
      kind: 'series',
    },
    ...[overStreams('p99.9', 'p999Ns'), overStreams('p0.1', 'p001Ns'), overStreams('IQR', 'iqrNs')],
    chartOf('Spread of the intervals', {
      all: 'pacing.interval.iqrNs',
      undisturbed: 'pacing.undisturbed.iqrNs',
    }),
    chartOf('CPU of the two ends', {
      sender: 'pacing.senderCpuPercent',
      receiver: 'pacing.receiverCpuPercent',
    }),
  ],
  published: {
    title:
      'Published by the study: 5 minutes, two PCs with Intel i210 cards back to back, Linux 4.19, stamps of the cards',
    columns: { metrics: ['meanNs', 'sdNs', 'minNs', 'maxNs', 'rangeNs'].map(interval) },
    rows: [
      { label: 'software timer', values: [125_000, 1154, 75_311, 172_144, 96_833] },
      { label: 'SO_TXTIME and ETF', values: [125_000, 18, 124_960, 125_048, 88] },
    ],
  },
  verdictWords: {
    PASS: 'Every packet arrived, none more than one interval early or late.',
    WARN: 'Every packet arrived in time to be presented, some more than one interval early or late; or a method could not be measured here.',
    FAIL: 'Packets were lost, arrived twice or out of order, or arrived too late to be presented.',
    INVALID: nothingSaid('the pacing'),
  },
  expectedSeconds: ({
    methods,
    packetsPerWakeUp,
    holdSeconds,
    repeats,
    listenInterface,
    beside,
    streams,
  }) => {
    const paced = methods.filter((method) => method !== 'burst').length * packetsPerWakeUp.length;
    const rows = listenInterface === '' ? paced + (methods.includes('burst') ? 1 : 0) : 1;
    const steps = beside === 'nothing' ? 1 : streams.length;
    return steps * repeats * rows * (holdSeconds + (beside === 'nothing' ? 2 : 5));
  },
};
