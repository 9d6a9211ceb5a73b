import { z } from 'zod';
import { columnsOf, kindsOf } from '../../facts/column';
import { plainLine } from '../../protocol/plain-text';
import { placeFields } from '../../protocol/stream-parameters';
import { type ChartDeclaration, chartOf, type ExperimentDeclaration, nothingSaid } from '../declaration';

/** throughput: samples as fast as the writer takes them; latency: one sample at a time, which one subscriber sends back. */
export const fanOutMeasures = ['throughput', 'latency'] as const;
export type FanOutMeasure = (typeof fanOutMeasures)[number];

/** As in the study; without acks: subscribers do not acknowledge what they have, and ask for what they lack. */
export const fanOutCases = [
  'unicast best-effort',
  'unicast reliable',
  'multicast best-effort',
  'multicast reliable',
  'multicast reliable without acks',
] as const;
export type FanOutCase = (typeof fanOutCases)[number];

/** As many as in the study: they have room in one domain of one machine. */
export const mostSubscribers = 100;
/** Our header stands at both ends of a sample. */
const leastSampleBytes = 64;
/** What one payload of DDS holds that goes over UDP. */
export const mostSampleBytes = 63_000;
/** Of the highest, discovery has the last ports that there are. */
const lastDomain = 232;

/** Processes, discovery, and the words "begin". */
const startSeconds = 3;
const secondsPerSubscriber = 0.1;

const isMulticastGroup = /^(22[4-9]|23\d)(\.(25[0-5]|2[0-4]\d|1?\d?\d)){3}$/;

/** Parameters of the `fan-out` experiment. */
export const fanOutParameters = z.strictObject({
  measure: z
    .array(z.enum(fanOutMeasures))
    .min(1)
    .max(fanOutMeasures.length)
    .default(['throughput'])
    .describe('throughput: as fast as possible; latency: one sample at a time, to the subscriber and back')
    .meta({ title: 'What to measure' }),
  cases: z
    .array(z.enum(fanOutCases))
    .min(1)
    .max(fanOutCases.length)
    .default([...fanOutCases])
    .describe('How samples reach the subscribers; each way has its own row')
    .meta({ title: 'Ways to the subscribers' }),
  sampleBytes: z
    .array(z.int().min(leastSampleBytes).max(mostSampleBytes))
    .min(1)
    .max(16)
    .default([8192])
    .describe('Size of a sample, a row for each (the study has 128, 1024, 8192 and 63000), B')
    .meta({ title: 'Sample sizes' }),
  subscribers: z
    .array(z.int().min(1).max(mostSubscribers))
    .min(1)
    .max(32)
    .default([1, 2, 4, 8])
    .describe('Subscribers, a row for each number (the study has 1 2 4 8 10 20 30 50 70 80 90 100)')
    .meta({ title: 'Subscribers per row' }),
  subscribersPerProcess: z
    .int()
    .min(1)
    .max(mostSubscribers)
    .default(4)
    .describe('How many subscribers share a process; each has its own DDS participant')
    .meta({ title: 'Subscribers per process' }),
  holdSeconds: z
    .number()
    .min(0.5)
    .max(3600)
    .default(5)
    .describe('Length of each row, s')
    .meta({ title: 'Time per row' }),
  repeats: z
    .int()
    .min(1)
    .max(100)
    .default(1)
    .describe('How often all rows are measured')
    .meta({ title: 'Repeats of all rows' }),
  batchBytes: z
    .int()
    .min(0)
    .max(mostSampleBytes)
    .default(8192)
    .describe('Throughput rows send samples in batches of up to this size, B; 0 sends each sample by itself')
    .meta({ title: 'Batch size' }),
  keepMs: z
    .int()
    .min(100)
    .max(60_000)
    .default(1000)
    .describe('In the case without acks, how long the publisher keeps sent samples, ms')
    .meta({ title: 'Keep samples for' }),
  namespaces: z
    .int()
    .min(0)
    .max(mostSubscribers)
    .default(0)
    .describe(
      'Spreads the subscribers over this many network namespaces, behind a bridge that the run creates (needs root); 0: all use loopback',
    )
    .meta({ title: 'Network namespaces' }),
  link: z
    .number()
    .min(1)
    .max(100_000)
    .optional()
    .describe('Limits the publisher’s uplink to the namespaces to this rate, Mb/s; default: no limit')
    .meta({ title: 'Uplink rate (Mb/s)' }),
  domain: z
    .int()
    .min(0)
    .max(lastDomain)
    .default(77)
    .describe('DDS domain')
    .meta({ title: 'DDS domain number' }),
  group: z
    .string()
    .refine((text) => isMulticastGroup.test(text), {
      error: ({ input }) =>
        `Expected an address from 224.0.0.0 to 239.255.255.255 for group but received ${plainLine(String(input))}`,
    })
    .default('239.255.79.1')
    .meta({ pattern: isMulticastGroup.source })
    .describe('Multicast group to which samples go, 224.0.0.0 to 239.255.255.255')
    .meta({ title: 'Multicast group' }),
  groupPort: z
    .int()
    .min(1024)
    .max(65_535)
    .default(7990)
    .describe('UDP port of the multicast group')
    .meta({ title: 'Multicast port' }),
  sendBufferBytes: z
    .int()
    .min(4096)
    .max(64 * 1024 * 1024)
    .default(100_000)
    .describe(
      'Send buffer of the publisher’s socket, B; if it is larger than a shaper’s queue, that queue drops samples',
    )
    .meta({ title: 'Send buffer' }),
  receiveBufferBytes: z
    .int()
    .min(4096)
    .max(64 * 1024 * 1024)
    .default(8 * 1024 * 1024)
    .describe('Receive buffer of each subscriber’s socket, B')
    .meta({ title: 'Receive buffer' }),
  sendOn: placeFields.sendOn
    .describe('Machine of the fleet that publishes; default: this one')
    .meta({ title: 'Publish from machine' }),
  receiveOn: placeFields.receiveOn
    .describe(
      'Machines of the fleet that subscribe, separated by commas; the subscribers are spread evenly over them; "this machine" may be one of them; default: this one',
    )
    .meta({ title: 'Subscribe on machines' }),
});

export type FanOutParameters = z.infer<typeof fanOutParameters>;

const id = (name: string): string => `ddsFanOut.${name}`;
const latencies = ['minUs', 'p50Us', 'p90Us', 'p99Us', 'p9999Us', 'maxUs'].map((name) => `latency.${name}`);

/** Against the number of subscribers, a line for each case. */
function overSubscribers(title: string, name: string): ChartDeclaration {
  const chart = chartOf(title, { [title]: id(name) });
  return { ...chart, kind: 'curves', over: id('subscribers'), each: id('sampleBytes') };
}

/** Mb/s; by the cases’ names. */
const publishedMedians = [
  {
    label: 'unicast best-effort',
    values: [9916.3, 4958.1, 2479.1, 1239.5, 991.6, 495.8, 330.6, 198.3, 141.7, 124, 110.2, 99.2],
  },
  {
    label: 'unicast reliable',
    values: [9915.8, 4640.9, 2340.9, 1173.5, 932.9, 468.2, 307, 194.7, 140.2, 123.1, 109.6, 98.7],
  },
  {
    label: 'multicast best-effort',
    values: [
      ...[9916.3, 9915.8, 9915.5, 9915.4, 9915.3, 9915.4],
      ...[9915.4, 9915.4, 9915.3, 9915.3, 9915.3, 9915.3],
    ],
  },
  {
    label: 'multicast reliable',
    values: [9906.6, 9915.3, 9912.9, 9907.6, 9914.9, 9914.9, 9914.9, 9888.8, 9836, 9899.1, 9914.9, 9905.3],
  },
  {
    label: 'multicast reliable without acks',
    values: [
      ...[9915.8, 9915.2, 9915.2, 9914.9, 9915, 9915.2],
      ...[9902.4, 9915.2, 9915.2, 9915.2, 9915.2, 9915.2],
    ],
  },
] satisfies { label: FanOutCase; values: number[] }[];

export const fanOutDeclaration: ExperimentDeclaration<typeof fanOutParameters> = {
  id: 'fan-out',
  order: 100,
  title: 'Unicast and multicast fan-out',
  purpose:
    'What does each of many subscribers of one publisher get, by unicast and by multicast, best-effort and reliable? One DDS ' +
    'publisher sends to up to 100 subscribers. Whiteline forces the path of each datagram and counts the datagrams on it. Each row names the bottleneck.',
  study:
    'Unicast against multicast fan-out, RTI Perftest: one publisher, 1 to 100 subscribers on 13 machines, 10 GbE',
  parameters: fanOutParameters,
  basic: ['cases', 'subscribers', 'sampleBytes', 'holdSeconds', 'sendOn', 'receiveOn'],
  renamedParameters: { durationSeconds: 'holdSeconds' },
  columns: [
    ...kindsOf(...['measure', 'case', 'sampleBytes', 'subscribers'].map(id)),
    ...columnsOf('measure', ...['medianMbps', 'minMbps', 'maxMbps', 'idealPercent', 'limit'].map(id)),
    ...columnsOf('measure', ...['p90Mbps', 'throughputMbps', 'idealMbps'].map(id)),
    ...columnsOf('count', ...['samplesSent', 'samplesReceived', 'samplesLost', 'samplesDuplicated'].map(id)),
    ...columnsOf('count', ...['samplesReordered', 'samplesDamaged', 'overflowed'].map(id)),
    ...columnsOf('measure', ...['samplesPerSecond', 'datagramsPerPayload'].map(id)),
    ...columnsOf('count', ...['destinations', 'resends', 'heartbeats', 'acknowledgements'].map(id)),
    ...columnsOf('measure', ...latencies.map(id)),
    ...columnsOf('count', ...['roundTrips', 'roundTripsTimedOut'].map(id)),
    ...columnsOf('measure', ...['publisherCpuPercent', 'subscriberCpuPercent'].map(id)),
    ...columnsOf('measure', ...['subscribersCpuPercent', 'machineCpuPercent', 'waitedPercent'].map(id)),
    ...columnsOf('measure', ...['publisherMbps', 'subscriberMbps', 'path', 'receivesAt'].map(id)),
    ...columnsOf('measure', id('matchSeconds')),
    ...columnsOf('count', id('unmatched')),
  ],
  terminal: [
    ...['measure', 'case', 'sampleBytes', 'subscribers', 'minMbps', 'medianMbps', 'maxMbps'].map(id),
    ...['idealPercent', 'samplesLost', 'datagramsPerPayload', 'latency.p50Us', 'limit'].map(id),
  ],
  charts: [
    {
      ...overSubscribers('Throughput of each subscriber', 'medianMbps'),
      band: { least: id('minMbps'), most: id('maxMbps') },
      ideal: id('idealMbps'),
    },
    overSubscribers('Latency', 'latency.p50Us'),
    chartOf('CPU', {
      publisher: id('publisherCpuPercent'),
      'busiest subscriber': id('subscriberCpuPercent'),
      'whole machine': id('machineCpuPercent'),
    }),
  ],
  published: {
    title: 'Published by the study: median throughput of a subscriber, 13 machines, 10 GbE',
    columns: {
      metric: id('medianMbps'),
      over: id('subscribers'),
      at: [1, 2, 4, 8, 10, 20, 30, 50, 70, 80, 90, 100],
      digits: 1,
    },
    rows: publishedMedians,
  },
  verdictWords: {
    PASS: 'Every subscriber got every sample, over the path that was asked for.',
    WARN:
      'Best-effort samples were lost, duplicated or reordered, or a best-effort round trip timed out; writes timed out; samples were not ' +
      'acknowledged after the last write; or other participants were in the DDS domain.',
    FAIL:
      'A reliable subscriber missed samples, or got them twice or out of order; a reliable round trip timed out; samples were damaged; or a ' +
      'subscriber never matched the publisher.',
    INVALID: nothingSaid('the fan-out'),
  },
  expectedSeconds({ measure, cases, sampleBytes, subscribers, holdSeconds, repeats }) {
    const rows = measure.length * cases.length * sampleBytes.length * repeats;
    const each = subscribers.map((count) => holdSeconds + startSeconds + count * secondsPerSubscriber);
    return Math.round(rows * each.reduce((total, seconds) => total + seconds, 0));
  },
};
