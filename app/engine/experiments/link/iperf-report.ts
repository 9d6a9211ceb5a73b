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

interface UdpFigures {
  datagramsSent: number;
  /** By their bytes. */
  datagramsReceived: number;
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
const udpSum = sum.extend({ packets: z.int().nonnegative() });

const startSchema = z.object({
  version: z.string().nullish(),
  test_start: z.object({
    protocol: z.enum(['TCP', 'UDP']),
    num_streams: z.int().positive(),
    blksize: z.int().positive(),
  }),
});
const cpuSchema = z.object({ host_total: amount, remote_total: amount });
const tcpEndSchema = z.object({
  streams: z.array(z.object({ sender: z.object({ mean_rtt: amount.optional() }) })).min(1),
  sum_sent: sum.extend({ retransmits: z.int().nonnegative() }),
  sum_received: sum,
  cpu_utilization_percent: cpuSchema,
  sender_tcp_congestion: z.string().optional(),
});
const udpEndSchema = z.object({
  streams: z.array(z.object({ udp: z.object({ out_of_order: z.int() }) })).min(1),
  sum_sent: udpSum,
  sum_received: udpSum.extend({ jitter_ms: amount, lost_packets: z.int() }),
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
  const { test_start: start, version = null } = checked(startSchema, report, 'start', output);
  const common = {
    ...{ version, protocol: start.protocol, streams: start.num_streams, blockBytes: start.blksize },
  };
  return start.protocol === 'TCP'
    ? { ...common, ...tcpReport(checked(tcpEndSchema, report, 'end', output)), udp: null }
    : {
        ...common,
        ...udpReport(checked(udpEndSchema, report, 'end', output), start.blksize),
        tcp: null,
      };
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
  const rttSum = rttsUs.reduce((total, rtt) => total + rtt, 0);
  return {
    ...commonReport(end),
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
  // Late datagrams that fill a gap from before the count began make this less than 0.
  const gaps = Math.max(0, received.lost_packets);
  const tail = Math.max(0, sent.packets - received.packets);
  const tailSeconds = sent.packets > 0 ? (tail / sent.packets) * sent.seconds : 0;
  const inFlight = tailSeconds > inFlightSeconds ? 0 : tail;
  const lostByNumbers = gaps + tail - inFlight;
  const lostByBytes = Math.max(0, sent.packets - datagramsReceived - inFlight);
  const datagramsLost = Math.max(lostByNumbers, lostByBytes);
  return {
    ...commonReport(end),
    udp: {
      ...{ datagramsSent: sent.packets, datagramsReceived, lostByNumbers, lostByBytes, datagramsLost },
      lossPercent: sent.packets > 0 ? (100 * datagramsLost) / sent.packets : 0,
      jitterMs: received.jitter_ms,
      outOfOrder: end.streams.reduce((total, { udp }) => total + udp.out_of_order, 0),
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
    sentMbps: sent.bits_per_second / 1e6,
    sentMb: sent.bytes / 1e6,
    localCpuPercent: end.cpu_utilization_percent.host_total,
    remoteCpuPercent: end.cpu_utilization_percent.remote_total,
  };
}
