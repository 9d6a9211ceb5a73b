import type { IperfEnd, IperfPart } from './iperf-shape';

/** What iperf3 says of datagrams; null: this version does not report it. */
export interface UdpFigures {
  /** As iperf3 reports them: from 3.10 on those of the sender, before it those that the receiver counted. */
  datagramsReported: number | null;
  datagramsSent: number | null;
  /** bytes: those that the receiver counted; numbers: those that it counted less those that it missed, where no bytes are reported. */
  receivedBy: 'bytes' | 'numbers';
  datagramsReceived: number | null;
  /** By the numbers of the receiver. */
  datagramsCounted: number | null;
  reportedLost: number | null;
  reportedLossPercent: number | null;
  /** Gaps between the numbers that were received, and what follows the last of them where that is not in flight. */
  lostByNumbers: number | null;
  /** What was sent and did not arrive, by the bytes that both ends count, without what is in flight. */
  lostByBytes: number | null;
  /** The larger of both, which contradict each other where they differ. */
  datagramsLost: number | null;
  lossPercent: number | null;
  jitterMs: number | null;
  outOfOrder: number | null;
}

/**
 * iperf3 counts gaps between the numbers that its receiver got. What follows the last of them is in none: a datagram or
 * two that were on their way when the test ended, or everything after the receiver went deaf, as one does whose memory
 * for fragments is full of datagrams that will never be complete. More than this long of them is loss.
 */
const inFlightSeconds = 0.1;

type Sum = Pick<IperfPart, 'bytes' | 'bits_per_second' | 'seconds'> | null;

/** Datagrams of a report, and the sums of bytes at its two ends. */
export function udpFigures(
  end: IperfEnd,
  blockBytes: number | null,
): UdpFigures & { sent: Sum; received: Sum } {
  const { sum_sent, sum_received, sum, streams } = end;
  // Up to 3.9 there is one sum: bytes and time are the sender's, all else is the receiver's.
  const losses = sum_received ?? sum;
  const sent = sum_sent ?? sum;
  const received = sum_received ?? receivedOf(sum, blockBytes);
  const datagramsIn = (bytes: number | null | undefined): number | null =>
    typeof bytes === 'number' && blockBytes !== null ? Math.round(bytes / blockBytes) : null;
  const datagramsSent = sum_sent?.packets ?? datagramsIn(sent?.bytes);
  const isByBytes = sum_received !== null;
  const [counted, reportedLost] = [losses?.packets ?? null, losses?.lost_packets ?? null];
  const figures = {
    ...{ datagramsSent, datagramsReceived: datagramsIn(received?.bytes), datagramsCounted: counted },
    reportedLost,
  };
  const lost = lostOf(figures, sent?.seconds ?? null, isByBytes);
  const orders = streams.map(({ udp }) => udp?.out_of_order ?? null);
  const isOrderKnown = orders.length > 0 && !orders.includes(null);
  return {
    ...{ sent, received, ...figures, ...lost, receivedBy: isByBytes ? 'bytes' : 'numbers' },
    datagramsReported: sum_sent?.packets ?? counted,
    reportedLossPercent: losses?.lost_percent ?? null,
    lossPercent: shareOf(lost.datagramsLost, datagramsSent),
    jitterMs: losses?.jitter_ms ?? null,
    outOfOrder: isOrderKnown ? orders.reduce<number>((total, one) => total + (one ?? 0), 0) : null,
  };
}

/** What came by the numbers of the receiver, where its bytes are missing. */
function receivedOf(sum: IperfPart | null, blockBytes: number | null): Sum {
  const { seconds = null, packets = null, lost_packets: lost = null } = sum ?? {};
  const isKnown = packets !== null && lost !== null && blockBytes !== null;
  const bytes = isKnown ? Math.max(0, packets - lost) * blockBytes : null;
  return { bytes, seconds, bits_per_second: null };
}

type Counts = Pick<UdpFigures, 'datagramsSent' | 'datagramsReceived' | 'datagramsCounted' | 'reportedLost'>;

function lostOf(
  { datagramsSent: sent, datagramsReceived: received, datagramsCounted: counted, reportedLost }: Counts,
  sentSeconds: number | null,
  isByBytes: boolean,
): Pick<UdpFigures, 'lostByNumbers' | 'lostByBytes' | 'datagramsLost'> {
  const tail = sent === null || counted === null ? null : Math.max(0, sent - counted);
  const tailSeconds = tail && sent ? (tail / sent) * (sentSeconds ?? Number.POSITIVE_INFINITY) : 0;
  const inFlight = tail === null || tailSeconds > inFlightSeconds ? 0 : tail;
  const lostByNumbers =
    tail === null || reportedLost === null ? null : Math.max(0, reportedLost) + tail - inFlight;
  const isKnown = isByBytes && sent !== null && received !== null;
  const lostByBytes = isKnown ? Math.max(0, sent - received - inFlight) : null;
  const known = [lostByNumbers, lostByBytes].filter((lost): lost is number => lost !== null);
  return { lostByNumbers, lostByBytes, datagramsLost: known.length > 0 ? Math.max(...known) : null };
}

function shareOf(lost: number | null, sent: number | null): number | null {
  if (lost === null || sent === null) return null;
  return sent > 0 ? (100 * lost) / sent : 0;
}
