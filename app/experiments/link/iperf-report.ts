import type { z } from 'zod';
import { type JsonObject, readToolReport, type ToolOutput, unusable } from '../../engine/tools/tool-json';
import { toolFailed } from '../../engine/tools/tool-problem';
import { safeParse } from '../../protocol/safe-parse';
import {
  endSchema,
  type IperfEnd,
  type IperfInterval,
  type IperfPart,
  intervalsSchema,
  startSchema,
} from './iperf-shape';
import { type UdpFigures, udpFigures } from './iperf-udp';

/** What iperf3 says of one repeat; null: this version, or iperf3 on that system, does not report it. */
export interface IperfReport {
  /** Of iperf3 here, such as "iperf 3.12"; the other end’s is not passed on. */
  version: string | null;
  protocol: string;
  streams: number | null;
  /** Bytes that iperf3 really handed over at once: of UDP, a datagram's payload. */
  blockBytes: number | null;
  settings: IperfSettings;
  /** What was counted, by the clocks of the two ends. */
  sentSeconds: number | null;
  receivedSeconds: number | null;
  parts: IperfParts;
  /** What this end counted, those left out at the start apart. */
  intervals: readonly IperfInterval[] | null;
  /** Payload as the receiver counts it. */
  throughputMbps: number | null;
  /** The same by iperf3’s own division. */
  reportedMbps: number | null;
  dataMb: number | null;
  /** Payload as the sender counts it. */
  sentMbps: number | null;
  sentMb: number | null;
  localCpuPercent: number | null;
  remoteCpuPercent: number | null;
  tcp: { retransmits: number | null; meanRttMs: number | null; congestion: string } | null;
  udp: UdpFigures | null;
  /** Warnings and other text beside the report. */
  said?: string;
}

/** What iperf3 says that it was asked for; null: this version does not say it. */
export interface IperfSettings {
  host: string | null;
  port: number | null;
  /** The address that it was connected to. */
  connectedHost: string | null;
  durationSeconds: number | null;
  omitSeconds: number | null;
  isReverse: boolean | null;
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
  sentMb: number | null;
  receivedMb: number | null;
  retransmits: number | null;
  datagrams: number | null;
  datagramsLost: number | null;
}

/**
 * iperf3's report, whatever its version has in it.
 * @throws WhitelineError TOOL_FAILED with iperf3's own error, which comes with exit status 0 too, or where there is no report
 */
export function readIperf(
  stdout: string,
  beside: Partial<ToolOutput> = {},
): { report: JsonObject; said: string } {
  const output = { stderr: '', exitCode: 0, ...beside, stdout };
  const { report, others, said } = readToolReport('iperf3', output);
  const error = [report, ...others].map((one) => one.error).find((one) => typeof one === 'string');
  if (error) throw toolFailed('iperf3', error);
  if (output.exitCode !== 0) throw toolFailed('iperf3', said || `it ended with status ${output.exitCode}`);
  return { report, said };
}

/**
 * Reads the report of `iperf3 -J`.
 * @throws WhitelineError TOOL_FAILED with iperf3's own error, or if the output is no iperf3 report
 */
export function parseIperfReport(stdout: string, beside: Partial<ToolOutput> = {}): IperfReport {
  const { report, said } = readIperf(stdout, beside);
  const start = safeParse(startSchema, report.start).data;
  const end = safeParse(endSchema, report.end).data;
  if (!start || !end || !(end.sum_sent ?? end.sum_received ?? end.sum)) {
    const what = start ? 'end' : 'start';
    throw unusable('iperf3', `${what} is not what it should be`, beside.exitCode ?? 0, said);
  }
  const { test_start: asked } = start;
  const isUdp = asked.protocol ? asked.protocol === 'UDP' : end.streams.some(({ udp }) => udp !== null);
  const settings = settingsOf(start);
  const intervals = intervalsOf(report.intervals);
  const common = {
    ...{ version: start.version, protocol: asked.protocol ?? (isUdp ? 'UDP' : 'TCP') },
    ...{ streams: asked.num_streams ?? (end.streams.length || null), blockBytes: asked.blksize || null },
    ...{ settings, intervals, parts: partsOf(end, isUdp) },
    localCpuPercent: end.cpu_utilization_percent.host_total,
    remoteCpuPercent: end.cpu_utilization_percent.remote_total,
    ...(said && { said }),
  };
  if (!isUdp)
    return { ...common, ...carried(end.sum_sent, end.sum_received), tcp: tcpFigures(end), udp: null };
  const { sent, received, ...udp } = udpFigures(end, common.blockBytes);
  return { ...common, ...carried(sent, received), tcp: null, udp };
}

function settingsOf({
  connecting_to: server,
  connected,
  test_start: start,
}: z.output<typeof startSchema>): IperfSettings {
  const flag = (value: number | null | undefined): boolean | null =>
    typeof value === 'number' ? value !== 0 : null;
  return {
    ...server,
    connectedHost: connected[0]?.remote_host ?? null,
    ...{ durationSeconds: start.duration ?? null, omitSeconds: start.omit ?? null },
    ...{ isReverse: flag(start.reverse), isBothWays: flag(start.bidir) },
    ...{ typeOfService: start.tos ?? null, targetBits: start.target_bitrate ?? null },
    ...{ lastByte: start.bytes ?? null, lastBlock: start.blocks ?? null },
  };
}

function intervalsOf(reported: unknown): IperfInterval[] | null {
  const intervals = intervalsSchema.parse(reported);
  if (!intervals || intervals.length === 0) return null;
  const counted = intervals.filter(({ sum: { omitted } }) => !omitted);
  return counted.map(({ sum: { bytes, seconds } }) => ({ mb: bytes / 1e6, seconds }));
}

/** @returns null as soon as one of them is not known */
function totalOf(values: readonly (number | null | undefined)[]): number | null {
  return values.reduce<number | null>(
    (total, value) => (total === null || typeof value !== 'number' ? null : total + value),
    0,
  );
}

const megabytes = (bytes: number | null | undefined): number | null =>
  typeof bytes === 'number' ? bytes / 1e6 : null;

function partsOf({ streams }: IperfEnd, isUdp: boolean): IperfParts {
  const of = (pick: (stream: IperfEnd['streams'][number]) => number | null | undefined): number | null =>
    streams.length > 0 ? totalOf(streams.map(pick)) : null;
  return {
    streams: streams.length,
    // Of a stream of UDP, iperf3 says what its sender counted.
    sentMb: megabytes(of(({ sender, udp }) => (isUdp ? udp : sender)?.bytes)),
    receivedMb: isUdp ? null : megabytes(of(({ receiver }) => receiver?.bytes)),
    retransmits: isUdp ? null : of(({ sender }) => sender?.retransmits),
    datagrams: isUdp ? of(({ udp }) => udp?.packets) : null,
    datagramsLost: isUdp ? of(({ udp }) => udp?.lost_packets) : null,
  };
}

function tcpFigures({ streams, sum_sent, sender_tcp_congestion }: IperfEnd): IperfReport['tcp'] {
  // Only the end that sends knows them; of the other end's they are 0.
  const rttsUs = streams.map(({ sender }) => sender?.mean_rtt ?? 0).filter((rtt) => rtt > 0);
  return {
    retransmits: sum_sent?.retransmits ?? null,
    meanRttMs: rttsUs.length > 0 ? (totalOf(rttsUs) ?? 0) / rttsUs.length / 1000 : null,
    congestion: sender_tcp_congestion ?? 'not reported',
  };
}

type Sum = Pick<IperfPart, 'bytes' | 'bits_per_second' | 'seconds'> | null;

function carried(sent: Sum, received: Sum) {
  const inMegabits = (bits: number | null | undefined): number | null => megabytes(bits);
  const [bytes, seconds] = [received?.bytes ?? null, received?.seconds ?? null];
  return {
    throughputMbps: bytes === null || seconds === null ? null : (8 * bytes) / seconds / 1e6,
    reportedMbps: inMegabits(received?.bits_per_second),
    dataMb: megabytes(bytes),
    ...{ sentSeconds: sent?.seconds ?? null, receivedSeconds: seconds },
    sentMbps: inMegabits(sent?.bits_per_second),
    sentMb: megabytes(sent?.bytes),
  };
}
