import { z } from 'zod';
import { safeParse } from '../../../protocol/safe-parse';
import { toolFailed, toolNonsense } from '../../tools/tool-problem';

/** What iperf3 says of one repeat. */
export interface IperfReport {
  /** Of iperf3 here, such as "iperf 3.12"; the other end’s is not passed on. */
  version: string | null;
  protocol: 'TCP' | 'UDP';
  streams: number;
  /** Bytes that iperf3 really handed over at once: of UDP, a datagram's payload. */
  blockBytes: number;
  settings: IperfSettings;
  /** What was counted, by the clocks of the two ends. */
  sentSeconds: number;
  receivedSeconds: number;
  parts: IperfParts;
  /** What this end counted in its intervals, those left out at the start apart; null: it does not say it. */
  intervalsMb: number | null;
  /** Payload as the receiver counts it. */
  throughputMbps: number;
  /** The same by iperf3’s own division. */
  reportedMbps: number;
  dataMb: number;
  /** Payload as the sender counts it. */
  sentMbps: number;
  sentMb: number;
  localCpuPercent: number;
  remoteCpuPercent: number;
  tcp: { retransmits: number; meanRttMs: number | null; congestion: string } | null;
  udp: UdpFigures | null;
}

/** What iperf3 says that it was asked for; null: this version does not say it. */
export interface IperfSettings {
  host: string | null;
  port: number | null;
  /** The address that it was connected to. */
  connectedHost: string | null;
  durationSeconds: number;
  omitSeconds: number;
  isReverse: boolean;
  isBothWays: boolean | null;
  typeOfService: number | null;
  /** Of each stream, bits a second; 0: none. */
  targetBits: number | null;
  /** Where the test ends by what it carried, and not by time; 0: it does not. */
  lastByte: number | null;
  lastBlock: number | null;
}

/** The sums of what iperf3 says of each stream; null: it does not say it of each. */
export interface IperfParts {
  streams: number;
  sentMb: number;
  receivedMb: number | null;
  retransmits: number | null;
  datagrams: number | null;
  datagramsLost: number | null;
}

interface UdpFigures {
  datagramsSent: number;
  /** By their bytes. */
  datagramsReceived: number;
  /** By the numbers of the receiver. */
  datagramsCounted: number;
  /** As iperf3 reports them. */
  reportedLost: number;
  reportedLossPercent: number;
  /** Gaps between the numbers that were received, and what follows the last of them where that is not in flight. */
  lostByNumbers: number;
  /** What was sent and did not arrive, by the bytes that both ends count, without what is in flight. */
  lostByBytes: number;
  /** The larger of both, which contradict each other where they differ. */
  datagramsLost: number;
  lossPercent: number;
  jitterMs: number;
  outOfOrder: number;
}

const amount = z.number().nonnegative();
const sum = z.object({ bytes: amount, bits_per_second: amount, seconds: z.number().positive() });
const count = z.int().nonnegative();
const udpSum = sum.extend({ packets: count });

const startSchema = z.object({
  version: z.string().nullish(),
  connecting_to: z.object({ host: z.string(), port: z.int() }).optional(),
  connected: z.array(z.object({ remote_host: z.string() })).optional(),
  test_start: z.object({
    protocol: z.enum(['TCP', 'UDP']),
    num_streams: z.int().positive(),
    blksize: z.int().positive(),
    duration: amount,
    omit: amount,
    reverse: z.int(),
    // Which of these there are depends on the version.
    bidir: z.int().optional(),
    tos: z.int().optional(),
    target_bitrate: amount.optional(),
    bytes: amount.optional(),
    blocks: amount.optional(),
  }),
});
const intervalsSchema = z.object({
  intervals: z
    .array(z.object({ sum: z.object({ bytes: amount, omitted: z.boolean().optional() }) }))
    .optional(),
});
const cpuSchema = z.object({ host_total: amount, remote_total: amount });
const tcpEndSchema = z.object({
  streams: z
    .array(
      z.object({
        sender: z.object({ bytes: amount, retransmits: count.optional(), mean_rtt: amount.optional() }),
        receiver: z.object({ bytes: amount }),
      }),
    )
    .min(1),
  sum_sent: sum.extend({ retransmits: count }),
  sum_received: sum,
  cpu_utilization_percent: cpuSchema,
  sender_tcp_congestion: z.string().optional(),
});
const udpEndSchema = z.object({
  // Counts that are less than 0 are read: the row then names them.
  streams: z
    .array(
      z.object({
        udp: z.object({ bytes: amount, packets: count, lost_packets: z.int(), out_of_order: z.int() }),
      }),
    )
    .min(1),
  sum_sent: udpSum,
  sum_received: udpSum.extend({ jitter_ms: amount, lost_packets: z.int(), lost_percent: z.number() }),
  cpu_utilization_percent: cpuSchema,
});

/**
 * Reads the report of `iperf3 -J`.
 * @throws WhitelineError TOOL_FAILED with iperf3's own error, which comes with exit status 0 too, or where this is none of its reports
 */
export function parseIperfReport(output: string): IperfReport {
  const report = jsonOf(output);
  const { error } = z.object({ error: z.string().optional() }).catch({}).parse(report);
  if (error) throw toolFailed('iperf3', error);
  const parsed = checked(startSchema, report, 'start', output);
  const { test_start: start, version = null } = parsed;
  const common = {
    ...{ version, protocol: start.protocol, streams: start.num_streams, blockBytes: start.blksize },
    settings: settingsOf(parsed),
    intervalsMb: intervalsOf(report),
  };
  return start.protocol === 'TCP'
    ? { ...common, ...tcpReport(checked(tcpEndSchema, report, 'end', output)), udp: null }
    : {
        ...common,
        ...udpReport(checked(udpEndSchema, report, 'end', output), start.blksize),
        tcp: null,
      };
}

function intervalsOf(report: unknown): number | null {
  const { intervals } = intervalsSchema.catch({}).parse(report);
  const counted = intervals?.filter(({ sum: { omitted } }) => !omitted);
  return counted ? totalOf(counted.map(({ sum: { bytes } }) => bytes)) / 1e6 : null;
}

function settingsOf({
  connecting_to: server,
  connected,
  test_start: start,
}: z.output<typeof startSchema>): IperfSettings {
  return {
    ...{ host: server?.host ?? null, port: server?.port ?? null },
    connectedHost: connected?.[0]?.remote_host ?? null,
    ...{ durationSeconds: start.duration, omitSeconds: start.omit, isReverse: start.reverse !== 0 },
    isBothWays: start.bidir === undefined ? null : start.bidir !== 0,
    ...{ typeOfService: start.tos ?? null, targetBits: start.target_bitrate ?? null },
    ...{ lastByte: start.bytes ?? null, lastBlock: start.blocks ?? null },
  };
}

function totalOf(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

function jsonOf(output: string): unknown {
  try {
    return JSON.parse(output);
  } catch {
    throw toolNonsense('iperf3', 'no JSON', output);
  }
}

function checked<Schema extends z.ZodType>(
  schema: Schema,
  report: unknown,
  part: 'start' | 'end',
  output: string,
): z.output<Schema> {
  const result = safeParse(schema, (report as Record<string, unknown> | null)?.[part]);
  if (result.success) return result.data;
  const path = [part, ...(result.error.issues[0]?.path ?? [])].join('.');
  throw toolNonsense('iperf3', `${path} is not what it should be`, output);
}

function tcpReport(end: z.output<typeof tcpEndSchema>) {
  // Only the end that sends knows them; of the other end's they are 0.
  const rttsUs = end.streams.map(({ sender }) => sender.mean_rtt ?? 0).filter((rtt) => rtt > 0);
  const rttSum = totalOf(rttsUs);
  const retransmits = end.streams.flatMap(({ sender }) => sender.retransmits ?? []);
  const parts: IperfParts = {
    streams: end.streams.length,
    sentMb: totalOf(end.streams.map(({ sender }) => sender.bytes)) / 1e6,
    receivedMb: totalOf(end.streams.map(({ receiver }) => receiver.bytes)) / 1e6,
    retransmits: retransmits.length === end.streams.length ? totalOf(retransmits) : null,
    ...{ datagrams: null, datagramsLost: null },
  };
  return {
    ...commonReport(end),
    parts,
    tcp: {
      retransmits: end.sum_sent.retransmits,
      meanRttMs: rttsUs.length > 0 ? rttSum / rttsUs.length / 1000 : null,
      congestion: end.sender_tcp_congestion ?? 'not reported',
    },
  };
}

/**
 * iperf3 counts gaps between the numbers that its receiver got. What follows the last of them is in none: a datagram or
 * two that were on their way when the test ended, or everything after the receiver went deaf, as one does whose memory
 * for fragments is full of datagrams that will never be complete. More than this long of them is loss.
 */
const inFlightSeconds = 0.1;

function udpReport(end: z.output<typeof udpEndSchema>, datagramBytes: number) {
  const { sum_sent: sent, sum_received: received } = end;
  const datagramsReceived = Math.round(received.bytes / datagramBytes);
  const gaps = Math.max(0, received.lost_packets);
  const tail = Math.max(0, sent.packets - received.packets);
  const tailSeconds = sent.packets > 0 ? (tail / sent.packets) * sent.seconds : 0;
  const inFlight = tailSeconds > inFlightSeconds ? 0 : tail;
  const lostByNumbers = gaps + tail - inFlight;
  const lostByBytes = Math.max(0, sent.packets - datagramsReceived - inFlight);
  const datagramsLost = Math.max(lostByNumbers, lostByBytes);
  const parts: IperfParts = {
    streams: end.streams.length,
    // Of a stream of UDP, iperf3 says what its sender counted.
    sentMb: totalOf(end.streams.map(({ udp }) => udp.bytes)) / 1e6,
    ...{ receivedMb: null, retransmits: null },
    datagrams: totalOf(end.streams.map(({ udp }) => udp.packets)),
    datagramsLost: totalOf(end.streams.map(({ udp }) => udp.lost_packets)),
  };
  return {
    ...commonReport(end),
    parts,
    udp: {
      ...{ datagramsSent: sent.packets, datagramsReceived, lostByNumbers, lostByBytes, datagramsLost },
      ...{ datagramsCounted: received.packets, reportedLost: received.lost_packets },
      reportedLossPercent: received.lost_percent,
      lossPercent: sent.packets > 0 ? (100 * datagramsLost) / sent.packets : 0,
      jitterMs: received.jitter_ms,
      outOfOrder: totalOf(end.streams.map(({ udp }) => udp.out_of_order)),
    },
  };
}

function commonReport(
  end:
    | Pick<z.output<typeof tcpEndSchema>, 'sum_sent' | 'sum_received' | 'cpu_utilization_percent'>
    | z.output<typeof udpEndSchema>,
) {
  const { sum_sent: sent, sum_received: received } = end;
  return {
    throughputMbps: (8 * received.bytes) / received.seconds / 1e6,
    reportedMbps: received.bits_per_second / 1e6,
    dataMb: received.bytes / 1e6,
    ...{ sentSeconds: sent.seconds, receivedSeconds: received.seconds },
    sentMbps: sent.bits_per_second / 1e6,
    sentMb: sent.bytes / 1e6,
    localCpuPercent: end.cpu_utilization_percent.host_total,
    remoteCpuPercent: end.cpu_utilization_percent.remote_total,
  };
}
