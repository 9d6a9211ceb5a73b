import { alike, atMost } from '../../../protocol/contradiction';
import type { Fact } from '../../../protocol/fact';
import type { IperfReport } from './iperf-report';
import type { LineRate } from './line-rate';
import type { PingReport } from './ping-report';

/** A burst out of a full queue may pass the line’s rate for a moment at the end of a test, which counts none of the heads. */
const burstShare = 0.05;
/** Of what two ends count, the first and last moments differ. */
const edgeShare = 0.001;
const roundingShare = 0.01;
/** What the queues of a TCP stream may hold from before the time that is counted. */
const queuedMb = 16;

/** What the figures of a row of iperf3 say that cannot be true, each kind once whichever repeats show it. */
export function linkContradictions(reports: readonly IperfReport[], rate: LineRate, cores: number): Fact[] {
  const found = reports.flatMap((report) => [...ofReport(report, rate, cores), ...ofUdp(report)]);
  return found.filter(({ data }, index) => found.findIndex((one) => one.data.what === data.what) === index);
}

function ofReport(report: IperfReport, rate: LineRate, cores: number): Fact[] {
  const { throughputMbps, reportedMbps, dataMb, sentMb, streams, localCpuPercent, tcp } = report;
  const line = `Mb/s line rate (${rate.source})`;
  return [
    ...alike('throughput', [throughputMbps, 'Mb/s by the bytes'], [reportedMbps, 'Mb/s reported'], {
      share: roundingShare,
    }),
    ...atMost('line rate', [throughputMbps, 'Mb/s received'], [rate.mbps, line], { share: burstShare }),
    ...(tcp
      ? atMost('data', [dataMb, 'MB received'], [sentMb, 'MB sent'], {
          ...{ share: burstShare, amount: queuedMb * streams },
        })
      : []),
    ...atMost('CPU', [localCpuPercent, '% of a core by iperf3 here'], [100 * cores, '% in all cores'], {
      share: burstShare,
    }),
  ];
}

/** Both ends count datagrams, so that what was lost is known twice. */
function ofUdp({ udp }: IperfReport): Fact[] {
  if (!udp) return [];
  const { datagramsSent, datagramsReceived, outOfOrder, lostByNumbers, lostByBytes } = udp;
  const sent = [datagramsSent, 'sent'] as const;
  // Datagrams that came twice are among those out of order.
  const apart = { amount: outOfOrder + Math.ceil(edgeShare * datagramsSent) };
  return [
    ...atMost('datagrams', [datagramsReceived, 'received'], sent, apart),
    ...alike(
      'lost datagrams',
      [lostByBytes, 'by the bytes of both ends'],
      [lostByNumbers, 'reported'],
      apart,
    ),
    ...atMost('datagrams lost', [Math.max(lostByBytes, lostByNumbers), 'lost'], sent),
  ];
}

export function pingContradictions({ echoesSent, echoesAnswered }: PingReport): Fact[] {
  return atMost('echoes', [echoesAnswered, 'answered'], [echoesSent, 'sent']);
}
