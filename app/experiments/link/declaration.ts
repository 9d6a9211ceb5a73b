import { z } from 'zod';
import { columnsOf, kindsOf } from '../../facts/column';
import { badInput } from '../../protocol/errors';
import { linkAddressSchema, linkPortSchema } from '../../protocol/fleet/link-commands';
import { hostOf } from '../../protocol/network-address';
import { parsedBy } from '../../protocol/parsed-by';
import { machineNameSchema } from '../../protocol/stream-parameters';
import { chartOf, chartsOfEach, type ExperimentDeclaration, nothingSaid } from '../declaration';
import { linkColumns } from './metrics';

export const linkProtocols = ['tcp', 'udp'] as const;
/** send: from this machine to the other host; receive: the other way. */
export const linkDirections = ['send', 'receive'] as const;

/** line: as much as the link carries; ndi: as much as 1, 2, 4 … NDI streams. */
export const linkRates = ['line', 'ndi'] as const;

/** The most that a clip took at 1920×1080@30, headers and acknowledgements among it (docs/content.md). */
export const usualStreamMbps = 127;
/** iperf3 sends no more of them side by side. */
export const mostStreams = 128;

export type LinkDirection = (typeof linkDirections)[number];

/** iperf3 needs room for its own counters; an IPv4 packet holds no more. */
const smallestDatagram = 16;
const largestDatagram = 65507;

/** Default port of iperf3. */
export const iperfPort = 5201;

const percent = z.number().min(0).max(100);

/** A link has one machine at each end. */
const oneMachine = (field: string) =>
  machineNameSchema.superRefine(
    parsedBy((name) => {
      if (name.includes(','))
        throw badInput(field, 'one machine', name, 'Measure the link to each of them in a run of its own');
    }),
  );

/** Parameters of the `link` experiment. */
export const linkParameters = z.strictObject({
  host: z
    .string()
    .superRefine(parsedBy((text) => text === '' || hostOf(text.replace(/%\w+$/, ''), 'host')))
    .default('')
    .describe('Name or address of the other host; default: only this machine, over loopback')
    .meta({ title: 'Other host, name or address' }),
  port: z
    .int()
    .min(1)
    .max(65535)
    .optional()
    .describe(
      `Port of the iperf3 server on the other host; default: ${iperfPort}, or over loopback a server that Whiteline starts itself`,
    )
    .meta({ title: 'Port of iperf3 there' }),
  otherHost: z
    .string()
    .max(400)
    .default('')
    .describe('Processor, network card and system of the other host in words, for the report')
    .meta({ title: 'About the other host' }),
  sendOn: oneMachine('sendOn')
    .optional()
    .describe('Machine of the fleet that runs the iperf3 client, or "this machine"; default: this one')
    .meta({ title: 'Send from machine' }),
  receiveOn: oneMachine('receiveOn')
    .optional()
    .describe(
      'Machine of the fleet that runs the iperf3 server during the run, or "this machine"; default: this one',
    )
    .meta({ title: 'Receive on machine' }),
  protocols: z
    .array(z.enum(linkProtocols))
    .min(1)
    .max(2)
    .default(['tcp', 'udp'])
    .describe('tcp, udp')
    .meta({ title: 'Protocols' }),
  directions: z
    .array(z.enum(linkDirections))
    .min(1)
    .max(2)
    .default(['send', 'receive'])
    .describe('send: to the other host; receive: from it')
    .meta({ title: 'Directions' }),
  streams: z
    .array(z.int().min(1).max(mostStreams))
    .min(1)
    .max(8)
    .default([1])
    .describe('Parallel streams of iperf3, a row for each number')
    .meta({ title: 'Parallel streams' }),
  rates: z
    .array(z.enum(linkRates))
    .min(1)
    .max(2)
    .default(['line'])
    .describe('line: as much as the link carries; ndi: the rates of 1, 2, 4 … NDI streams, a row for each')
    .meta({ title: 'Rates to try' }),
  streamMbps: z
    .number()
    .min(1)
    .max(10_000)
    .default(usualStreamMbps)
    .describe(
      'Bitrate of one NDI stream, Mb/s; default: the most that a clip of the content battery took at 1920×1080@30',
    )
    .meta({ title: 'NDI stream rate' }),
  maxStreams: z
    .int()
    .min(1)
    .max(mostStreams)
    .optional()
    .describe('Largest number of NDI streams whose rate is tried; default: as many as the link has room for')
    .meta({ title: 'NDI streams at most' }),
  datagramBytes: z
    .array(z.int().min(smallestDatagram).max(largestDatagram))
    .min(1)
    .max(32)
    .default([64, 512, 1472, 8972, 32768, largestDatagram])
    .describe('Payload of a UDP datagram in bytes, a row for each size')
    .meta({ title: 'Datagram sizes' }),
  lineRateMbps: z
    .number()
    .min(0.01)
    .max(1_000_000)
    .optional()
    .describe(
      'Speed of the link, Mb/s; default: what the interface towards the host reports, otherwise the rate that TCP reached',
    )
    .meta({ title: 'Link speed' }),
  repeats: z
    .int()
    .min(1)
    .max(100)
    .default(10)
    .describe('How often each row is measured')
    .meta({ title: 'Repeats per row' }),
  holdSeconds: z
    .int()
    .min(1)
    .max(3600)
    .default(10)
    .describe('Length of each repeat, s; iperf3 takes whole seconds only')
    .meta({ title: 'Time per repeat' }),
  omitSeconds: z
    .int()
    .min(0)
    .max(60)
    .default(1)
    .describe(
      'Time at the start of each repeat that is not counted, because TCP is still finding its rate, s; iperf3 takes whole seconds only',
    )
    .meta({ title: 'Not counted at start' }),
  pings: z
    .int()
    .min(0)
    .max(1000)
    .default(20)
    .describe('How many pings to send before the first row; 0: none')
    .meta({ title: 'Pings before the first row' }),
  passPercent: percent
    .default(90)
    .describe('TCP passes if it reaches this share of the link speed, %; below it the row is WARN')
    .meta({ title: 'TCP passes from' }),
  warnPercent: percent
    .default(70)
    .describe('TCP fails below this share of the link speed, %')
    .meta({ title: 'TCP fails below' }),
  maxLossPercent: percent
    .default(0.1)
    .describe('A UDP row fails if it loses more of its datagrams than this, %; any smaller loss is WARN')
    .meta({ title: 'UDP loss allowed' }),
});

export type LinkParameters = z.infer<typeof linkParameters>;

export const linkDeclaration: ExperimentDeclaration<typeof linkParameters> = {
  id: 'link',
  order: 50,
  title: 'Link',
  purpose:
    'What do TCP, UDP and ping say about the link between two hosts? Each row is repeated and shown as mean and standard deviation. UDP is measured at the rate of the link, with several datagram sizes. On request, the link is also measured at the rates of 1, 2, 4 … NDI streams.',
  study: 'Link benchmark of the CMS Tracker Phase 2 hardware, June 2020 (iperf3, ping)',
  parameters: linkParameters,
  basic: ['host', 'sendOn', 'receiveOn', 'protocols', 'holdSeconds', 'repeats'],
  elsewhere: {
    parameters: linkParameters
      .omit({ sendOn: true, receiveOn: true, otherHost: true })
      .extend({ host: linkAddressSchema, port: linkPortSchema }),
    places: {},
  },
  renamedParameters: { durationSeconds: 'holdSeconds' },
  columns: linkColumns.flatMap(({ role, metric }) =>
    role === 'kind' ? kindsOf(metric.id) : columnsOf(role, metric.id),
  ),
  charts: [
    chartOf('Throughput', { Target: 'link.targetMbps', Received: 'link.throughputMbps' }),
    ...chartsOfEach('link.lineRatePercent', 'link.dataMb'),
    chartOf('iperf3 CPU', { Here: 'link.localCpuPercent', There: 'link.remoteCpuPercent' }),
    ...chartsOfEach('link.machineCpuPercent', 'link.retransmits', 'link.jitterMs', 'link.lossPercent'),
    ...chartsOfEach('link.outOfOrder', 'link.lateIntervals'),
    chartOf('RTT', { Idle: 'link.rttMs', 'Under load': 'link.loadedRttMs' }),
  ],
  verdictWords: {
    PASS: 'The link carries what is required.',
    WARN: 'The link carries less than is required or loses a little, or its speed is unknown.',
    FAIL: 'The link carries too little or loses too much.',
    INVALID: nothingSaid('the link'),
  },
  whyUnknownSeconds: 'how many rates are tried depends on the speed of the link',
  expectedSeconds({ rates, protocols, directions, streams, datagramBytes, repeats, ...times }) {
    // How many rates of streams there are depends on the speed of the link.
    if (rates.includes('ndi')) return null;
    const sizes =
      (protocols.includes('tcp') ? 1 : 0) + (protocols.includes('udp') ? datagramBytes.length : 0);
    const rows = sizes * directions.length * streams.length;
    return rows * repeats * (times.holdSeconds + times.omitSeconds);
  },
};
