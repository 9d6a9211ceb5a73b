import { unlikeAsked } from '../../engine/experiment/unlike-asked';
import { hasFeature } from '../../engine/tools/tool-versions';
import { alike, atMost } from '../../facts/contradiction';
import type { Fact } from '../../facts/fact';
import type { IperfReport } from './iperf-report';
import type { LineRate } from './line-rate';
import type { PingReport } from './ping-report';

/** At the end of a test, a burst from a full queue may exceed the line rate for a moment; the test counts no headers. */
export const burstShare = 0.05;
/** Of what two ends count, the first and last moments differ. */
const edgeShare = 0.001;
const roundingShare = 0.01;
/** Sums are whole bytes, in MB. */
const sums = { amount: 1e-6 };
/** Points. */
const percentRounding = { amount: 0.01 };
/** What the queues of a TCP stream may hold from before the time that is counted. */
const queuedMb = 16;

/** What the figures of a repeat say that cannot be true. */
export function linkContradictions(report: IperfReport, rate: LineRate, cores: number): Fact[] {
  return [...ofReport(report, rate, cores), ...ofParts(report), ...ofUdp(report)];
}

/** Each kind once, whichever repeats show it. */
export function onceEach(found: readonly Fact[]): Fact[] {
  return found.filter(({ data }, index) => found.findIndex((one) => one.data.what === data.what) === index);
}

function ofReport(report: IperfReport, rate: LineRate, cores: number): Fact[] {
  const { throughputMbps, reportedMbps, dataMb, sentMb, sentMbps, streams, localCpuPercent, tcp } = report;
  const byBytes = sentMb === null || report.sentSeconds === null ? null : (8 * sentMb) / report.sentSeconds;
  const line = `Mb/s line rate (${rate.source})`;
  return [
    ...alike('throughput', [throughputMbps, 'Mb/s by the bytes'], [reportedMbps, 'Mb/s reported'], {
      share: roundingShare,
    }),
    ...alike('rate sent', [byBytes, 'Mb/s by the bytes'], [sentMbps, 'Mb/s reported'], {
      share: roundingShare,
    }),
    ...atMost('line rate', [throughputMbps, 'Mb/s received'], [rate.mbps, line], { share: burstShare }),
    ...(tcp
      ? atMost('data', [dataMb, 'MB received'], [sentMb, 'MB sent'], {
          ...{ share: burstShare, amount: queuedMb * (streams ?? 1) },
        })
      : []),
    ...atMost('CPU', [localCpuPercent, '% of a core by iperf3 here'], [100 * cores, '% in all cores'], {
      share: burstShare,
    }),
  ];
}

/** The sums are those of the streams. */
function ofParts({ parts, sentMb, dataMb, intervals, settings, tcp, udp }: IperfReport): Fact[] {
  const together = 'of the streams together';
  const own = settings.isReverse === null ? null : settings.isReverse ? dataMb : sentMb;
  const intervalsMb = intervals?.reduce((total, { mb }) => total + mb, 0);
  return [
    ...alike('bytes of the intervals', [intervalsMb, 'MB of the intervals together'], [own, 'MB in all'], {
      ...{ share: roundingShare, amount: 1 },
    }),
    ...alike('bytes sent', [parts.sentMb, `MB ${together}`], [sentMb, 'MB in all'], sums),
    ...alike('bytes received', [parts.receivedMb, `MB ${together}`], [dataMb, 'MB in all'], sums),
    ...alike('retransmits', [parts.retransmits, together], [tcp?.retransmits, 'in all']),
    ...alike('datagrams in all', [parts.datagrams, together], [udp?.datagramsReported, 'in all']),
    ...alike('losses in all', [parts.datagramsLost, together], [udp?.reportedLost, 'in all']),
  ];
}

/** Both ends count datagrams, so that what was lost is known twice. */
function ofUdp({ udp, sentMb, blockBytes, version }: IperfReport): Fact[] {
  if (!udp) return [];
  const { datagramsSent, datagramsReceived, datagramsCounted, lostByNumbers, lostByBytes } = udp;
  const sent = [datagramsSent, 'sent'] as const;
  // Datagrams that came twice are among those out of order.
  const apart = { amount: Math.max(0, udp.outOfOrder ?? 0) + Math.ceil(edgeShare * (datagramsSent ?? 0)) };
  const bytesSent = datagramsSent === null || blockBytes === null ? null : (datagramsSent * blockBytes) / 1e6;
  // One of them may be all that is known.
  const mostLost = Math.max(lostByBytes ?? 0, lostByNumbers ?? 0);
  const reported = hasFeature('iperfLossesNeedNewServer', version)
    ? 'reported, as iperf3 from 3.17 on does of a server up to 3.12'
    : 'reported';
  return [
    ...atMost('count of lost datagrams', [0, 'at least'], [udp.reportedLost, 'reported']),
    ...atMost('count out of order', [0, 'at least'], [udp.outOfOrder, 'reported']),
    ...alike('size', [bytesSent, 'MB by the datagrams'], [sentMb, 'MB sent'], { share: edgeShare }),
    ...atMost('datagrams', [datagramsReceived, 'received'], sent, apart),
    ...atMost('numbers', [datagramsCounted, 'counted by the receiver'], sent, apart),
    ...alike('lost datagrams', [lostByBytes, 'by the bytes of both ends'], [lostByNumbers, reported], apart),
    ...atMost('datagrams lost', [mostLost, 'lost'], sent),
    ...ofLossPercent(udp),
  ];
}

/** By iperf3, of what was sent or of what the receiver counted. */
function ofLossPercent(udp: NonNullable<IperfReport['udp']>): Fact[] {
  const { reportedLost, reportedLossPercent, datagramsSent, datagramsCounted } = udp;
  const counts = [datagramsSent, datagramsCounted].filter((count): count is number => count !== null);
  const shareOf = (datagrams: number): number | null =>
    datagrams > 0 && reportedLost !== null ? (100 * reportedLost) / datagrams : null;
  if (counts.length === 0) return [];
  const reported = [reportedLossPercent, '% lost as reported'] as const;
  const [least, most] = [shareOf(Math.max(...counts)), shareOf(Math.min(...counts))];
  return [
    ...atMost('share lost', [least, '% by the counts'], reported, percentRounding),
    ...atMost('share lost', reported, [most, '% by the counts'], percentRounding),
  ];
}

/** @param asked echoes */
export function pingContradictions(
  { echoesSent, echoesAnswered, rttsMs }: PingReport,
  asked: number,
): Fact[] {
  return [
    ...atMost('echoes', [echoesAnswered, 'answered'], [echoesSent, 'sent']),
    ...alike('answers', [rttsMs.length || null, 'times'], [echoesAnswered, 'answered']),
    ...unlikeAsked('ping', 'echoes', echoesSent, asked),
  ];
}
