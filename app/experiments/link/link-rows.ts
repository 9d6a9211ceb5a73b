import { meanOf, oneRepeat, standardDeviationOf } from '../../engine/experiment/repeats';
import { withFigures } from '../../engine/experiment/row-values';
import { type RowFrame, tableRow } from '../../engine/experiment/table-row';
import type { Fact } from '../../facts/fact';
import { reasonOf, wordsOf } from '../../facts/reason-words';
import type { Reasoned } from '../../facts/reasoned';
import type { ClosedRow } from '../../facts/row';
import { notAsAsked } from './as-asked';
import { linkContradictions, onceEach, pingContradictions } from './contradictions';
import { linkDeclaration } from './declaration';
import type { Endpoint } from './endpoint';
import { type HeldRate, judgeHeldTcp, judgeHeldUdp, lateIntervals } from './held-rate';
import { type IperfServer, type IperfTest, iperfArguments } from './iperf';
import type { IperfReport } from './iperf-report';
import {
  type Judgement,
  judgeLink,
  judgeTcp,
  judgeUdp,
  type LinkFigures,
  type LinkLimits,
  type UdpLoss,
} from './judgement';
import { type LineRate, type UdpTarget, udpPayloadShare, usualMtuBytes } from './line-rate';
import type { PingOutcome } from './ping';
import type { PingReport } from './ping-report';
import { labelOf, type RowPlan } from './plan';

/** One run of iperf3, and how busy this machine was meanwhile. */
export interface Repeat {
  startedAt: string;
  /** By our own clock, the start and the end of iperf3 among it. */
  elapsedSeconds: number;
  report: IperfReport;
  machineCpuPercent: number | null;
  /** The same with the time just before it; null: no load sample lies in either. */
  cpuAroundPercent: number | null;
  /** Datagrams that came and were thrown away here, since a socket's buffer was full; null: not reported. */
  datagramsOverflowed: number | null;
}

export interface MeasuredPlan {
  plan: RowPlan;
  /** What iperf3 was asked for in each repeat, and its server. */
  test: IperfTest;
  server: IperfServer;
  /** Repeats that were wanted; fewer were made where the run ended early. */
  wanted: number;
  repeats: Repeat[];
  target: UdpTarget | null;
}

/** Values of a row, and why some are absent. */
class Figures {
  readonly all: Record<string, Reasoned> = {};

  set(id: string, value: number | string | null, whyNot = 'not part of this measurement'): void {
    this.all[`link.${id}`] = [value, whyNot];
  }

  /** Mean and standard deviation of what the repeats report; null as soon as one of them reports nothing. */
  repeated(id: string, values: readonly (number | null | undefined)[], whyNot?: string): number | null {
    const known = values.filter((value): value is number => typeof value === 'number');
    const isKnown = known.length === values.length && known.length > 0;
    const mean = isKnown ? meanOf(known) : null;
    this.set(id, mean, whyNot);
    this.set(`${id}.sd`, isKnown ? standardDeviationOf(known) : null, isKnown ? oneRepeat : whyNot);
    return mean;
  }
}

const udpOnly = 'TCP has none';
const tcpOnly = 'UDP has none';
const senderOnly = 'only the sending end knows it, and iperf3 does not pass it on';
const noSamples = 'no load sample lies wholly within a repeat';
const notReported = 'iperf3 does not report it';
const noTarget = 'it fills the link, and is not held at the rate of streams';
const notOfPing = 'ping carries no load';

export function iperfRow(
  frame: RowFrame & { index: number },
  { plan, test, server, wanted, repeats, target }: MeasuredPlan,
  endpoint: Endpoint,
  { cores, ...limits }: LinkLimits & { cores: number },
): ClosedRow {
  const { rate, line } = endpoint;
  const reports = repeats.map(({ report }) => report);
  const isUdp = plan.datagramBytes !== null;
  const figures = new Figures();
  figures.set('protocol', isUdp ? 'UDP' : 'TCP');
  figures.set('direction', plan.direction);
  figures.set('streams', plan.streams);
  figures.set('ndiStreams', plan.isHeld ? plan.streams : null, noTarget);
  figures.set('datagramBytes', plan.datagramBytes, udpOnly);
  figures.set('repeatSeconds', frame.measuredSeconds / repeats.length);
  figures.set('targetMbps', target?.mbps ?? null, 'TCP finds its own rate');
  const of = (
    id: string,
    pick: (report: IperfReport) => number | null | undefined,
    whyNot = notReported,
  ): number | null => figures.repeated(id, reports.map(pick), whyNot);
  const throughputMbps = of('throughputMbps', (report) => report.throughputMbps);
  const share = rate.mbps === null || throughputMbps === null ? null : (100 * throughputMbps) / rate.mbps;
  figures.set('lineRatePercent', share, rate.mbps === null ? rate.source : notReported);
  of('dataMb', (report) => report.dataMb);
  const machineCpu = repeats.map(({ machineCpuPercent }) => machineCpuPercent);
  const within = figures.repeated('machineCpuPercent', machineCpu, noSamples);
  const means: LinkFigures = {
    throughputMbps,
    sentMbps: meanOfAll(reports.map(({ sentMbps }) => sentMbps)),
    localCpuPercent: of('localCpuPercent', (report) => report.localCpuPercent),
    remoteCpuPercent: of('remoteCpuPercent', (report) => report.remoteCpuPercent),
    machineCpuPercent: within ?? meanOfAll(repeats.map(({ cpuAroundPercent }) => cpuAroundPercent)),
    ...{ streams: plan.streams, version: reports[0]?.version ?? server.callerVersion, cores },
  };
  const [ofTcp, ofUdp] = isUdp ? [tcpOnly, notReported] : [notReported, udpOnly];
  const retransmits = of('retransmits', ({ tcp }) => tcp?.retransmits, ofTcp);
  of('jitterMs', ({ udp }) => udp?.jitterMs, ofUdp);
  const lossPercent = of('lossPercent', ({ udp }) => udp?.lossPercent, ofUdp);
  of('outOfOrder', ({ udp }) => udp?.outOfOrder, ofUdp);
  const late =
    plan.isHeld && target ? (report: IperfReport) => lateIntervals(report, target.mbps) : () => null;
  const lateMean = of('lateIntervals', late, plan.isHeld ? notReported : noTarget);
  figures.repeated('rttMs', [], 'measured by ping, in a row of its own');
  of('loadedRttMs', ({ tcp }) => tcp?.meanRttMs, isUdp ? tcpOnly : senderOnly);

  const receiver = plan.direction === 'send' ? 'there' : 'here';
  const judge = (): Judgement => {
    if (!target) return judgeTcp(means, rate, limits);
    const loss = { ...lossOf(repeats), lossPercent, targetMbps: target.mbps, receiver } as const;
    if (!plan.isHeld) return judgeUdp(means, loss, limits);
    const held: HeldRate = {
      ...{ streams: plan.streams, targetMbps: target.mbps, lateIntervals: lateMean },
      leastMbps: leastOfAll(reports.map((report) => (isUdp ? report.sentMbps : report.throughputMbps))),
      fullMbps: fullMbps(plan, endpoint),
    };
    return isUdp ? judgeHeldUdp(means, loss, held, limits) : judgeHeldTcp(means, retransmits, held, limits);
  };
  const judged = judge();
  const details = {
    command: ['iperf3', ...iperfArguments(server, test)].join(' '),
    wantedRepeats: wanted,
    // Another host does not report its own.
    serverVersion: endpoint.own ? server.callerVersion : null,
    lineRate: rate,
    ...(target && { target }),
    ...(line.mtuBytes !== null && { mtuBytes: line.mtuBytes }),
    runs: repeats,
  };
  return {
    ...linkRow(frame, labelOf(plan), figures, details),
    ...judgeLink(judged, {
      contradictions: [...faultsOf(repeats, { test, server, rate, cores }), ...notCounted(target)],
      guards: frame.guards,
      // Where nothing is wanted of it, the throughput itself is all there is.
      restsOnGuards: target === null && rate.mbps === null,
      isLoopback: line.loopback,
      short: repeats.length < wanted ? [reasonOf('repeats-short', { done: repeats.length, wanted })] : [],
    }),
  };
}

/** Payload of a full link, of UDP; null: its speed is not known. */
function fullMbps({ datagramBytes }: RowPlan, { rate, line, ipVersion }: Endpoint): number | null {
  if (rate.mbps === null || datagramBytes === null) return null;
  return rate.mbps * udpPayloadShare(datagramBytes, line.mtuBytes ?? usualMtuBytes, ipVersion);
}

/** Null as soon as one of them is not known. */
function allKnown(values: readonly (number | null)[]): number[] | null {
  const known = values.filter((value): value is number => value !== null);
  return known.length === values.length ? known : null;
}

function meanOfAll(values: readonly (number | null)[]): number | null {
  return meanOf(allKnown(values) ?? []);
}

function leastOfAll(values: readonly (number | null)[]): number | null {
  const known = allKnown(values);
  return known && Math.min(...known);
}

function lossOf(repeats: Repeat[]): Pick<UdpLoss, 'datagramsSent' | 'datagramsLost' | 'datagramsOverflowed'> {
  const udp = repeats.flatMap(({ report }) => report.udp ?? []);
  const overflowed = repeats.flatMap(({ datagramsOverflowed }) => datagramsOverflowed ?? []);
  return {
    datagramsSent: totalOf(udp.map(({ datagramsSent }) => datagramsSent ?? 0)),
    datagramsLost: totalOf(udp.map(({ datagramsLost }) => datagramsLost ?? 0)),
    datagramsOverflowed: overflowed.length === repeats.length ? totalOf(overflowed) : null,
  };
}

function totalOf(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

/** What repeats say that cannot be true, or is not what was asked for. */
export function faultsOf(
  repeats: readonly Repeat[],
  { test, server, rate, cores }: { test: IperfTest; server: IperfServer; rate: LineRate; cores: number },
): Fact[] {
  return onceEach(
    repeats.flatMap(({ report, elapsedSeconds }) => [
      ...notAsAsked(report, test, server, elapsedSeconds),
      ...linkContradictions(report, rate, cores),
    ]),
  );
}

/** A row whose target does not count proves nothing about the link, whatever its own figures are. */
function notCounted(target: UdpTarget | null): Fact[] {
  const [cause] = target?.faults ?? [];
  return cause ? [reasonOf('target-not-counted', { why: wordsOf([cause]) })] : [];
}

export function pingRow(
  frame: RowFrame & { index: number },
  outcome: PingOutcome,
  { asked, isLoopback }: { asked: number; isLoopback: boolean },
): ClosedRow {
  const figures = new Figures();
  figures.set('protocol', 'ping');
  for (const id of [
    'direction',
    'streams',
    'ndiStreams',
    'datagramBytes',
    'repeatSeconds',
    'targetMbps',
    'lineRatePercent',
  ])
    figures.set(id, null, notOfPing);
  for (const id of ['throughputMbps', 'dataMb', 'localCpuPercent', 'remoteCpuPercent', 'machineCpuPercent'])
    figures.repeated(id, [], notOfPing);
  for (const id of ['retransmits', 'jitterMs', 'outOfOrder', 'lateIntervals', 'loadedRttMs'])
    figures.repeated(id, [], notOfPing);
  const report = 'report' in outcome ? outcome.report : null;
  const answered = report?.echoesAnswered ?? 0;
  const noTimes = answered > 0 ? `ping gave no time of ${answered} answers` : 'no echo was answered';
  const whyNot = 'report' in outcome ? noTimes : outcome.notMeasured;
  const lost = report ? report.echoesSent - answered : null;
  figures.set('lossPercent', lossOfPing(report), whyNot);
  figures.set('lossPercent.sd', null, oneRepeat);
  const isEach = report !== null && report.rttsMs.length > 0;
  const rttMs = isEach ? figures.repeated('rttMs', report.rttsMs) : (report?.meanRttMs ?? null);
  if (!isEach) {
    figures.set('rttMs', rttMs, whyNot);
    figures.set('rttMs.sd', null, rttMs === null ? whyNot : 'ping gave no time of each echo');
  }
  const details = { ...report };
  return {
    ...linkRow(frame, 'ping over the idle link', figures, details),
    ...judgeLink(judgePing(rttMs, lost, whyNot), {
      contradictions: report ? pingContradictions(report, asked) : [],
      guards: frame.guards,
      restsOnGuards: rttMs !== null,
      isLoopback,
    }),
  };
}

function lossOfPing(report: PingReport | null): number | null {
  if (!report || report.echoesSent === 0) return null;
  return (100 * (report.echoesSent - report.echoesAnswered)) / report.echoesSent;
}

/** A host may answer no ping and carry everything else. */
function judgePing(rttMs: number | null, lost: number | null, whyNot: string): Judgement {
  if (rttMs === null)
    return { verdict: 'WARN', fact: reasonOf('rtt-not-measured', { why: whyNot }), isRemark: true };
  return lost
    ? { verdict: 'WARN', fact: reasonOf('rtt-measured', { rttMs, unanswered: lost }) }
    : { verdict: 'PASS', fact: reasonOf('rtt-measured', { rttMs }) };
}

function linkRow(
  { index, ...frame }: RowFrame & { index: number },
  label: string,
  figures: Figures,
  details: ClosedRow['details'],
) {
  return withFigures(tableRow(frame, index, label, details), linkDeclaration, figures.all);
}
