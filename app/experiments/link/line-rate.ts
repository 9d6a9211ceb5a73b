import type { Line } from '../../engine/tools/line-towards';
import type { Fact } from '../../facts/fact';
import type { LinkDirection, LinkParameters } from './declaration';

/** The speed that throughput is compared with; null: unknown. */
export interface LineRate {
  mbps: number | null;
  source: string;
}

export function lineRateOf({ lineRateMbps }: Pick<LinkParameters, 'lineRateMbps'>, line: Line): LineRate {
  if (lineRateMbps !== undefined) return { mbps: lineRateMbps, source: 'as given' };
  if (line.loopback) return { mbps: null, source: 'loopback has no speed' };
  if (line.speedMbps !== null)
    return { mbps: line.speedMbps, source: `speed of ${line.interfaceName} towards the host` };
  return { mbps: null, source: line.notMeasured.speedMbps ?? 'not known' };
}

/** What Ethernet puts around a packet: preamble, head, check sum and gap, in bytes. */
const ethernetBytes = 38;
const udpHeadBytes = 8;
const ipv4HeadBytes = 20;
const ipv6HeadBytes = 40;
const ipv6FragmentHeadBytes = 8;
/** Where the interface does not report its own. */
export const usualMtuBytes = 1500;

/** Share of a link that is UDP payload when it is full of datagrams of one size, fragments included. */
export function udpPayloadShare(datagramBytes: number, mtuBytes: number, ipVersion: 4 | 6): number {
  const segment = datagramBytes + udpHeadBytes;
  const head = ipVersion === 4 ? ipv4HeadBytes : ipv6HeadBytes;
  const isWhole = segment + head <= mtuBytes;
  const packetHead = head + (isWhole || ipVersion === 4 ? 0 : ipv6FragmentHeadBytes);
  // All fragments but the last carry a multiple of 8 bytes.
  const perPacket = Math.max(8, Math.floor((mtuBytes - packetHead) / 8) * 8);
  const packets = isWhole ? 1 : Math.ceil(segment / perPacket);
  return datagramBytes / (segment + packets * (packetHead + ethernetBytes));
}

/** Payload of the datagram that fills one packet, of a usual network where the interface takes larger ones. */
export function packetPayloadBytes(mtuBytes: number | null, ipVersion: 4 | 6): number {
  const head = ipVersion === 4 ? ipv4HeadBytes : ipv6HeadBytes;
  return Math.min(mtuBytes ?? usualMtuBytes, usualMtuBytes) - head - udpHeadBytes;
}

export interface UdpTarget {
  mbps: number;
  source: string;
  /** Why the measurement that it rests on does not count, the cause first. */
  faults?: readonly Fact[];
}

/**
 * The rate of UDP payload that just fills the link; where its speed is not known, what TCP reached in this direction.
 */
export function udpTarget(
  rate: LineRate,
  tcpReachedMbps: number,
  direction: LinkDirection,
  packet: { datagramBytes: number; mtuBytes: number | null; ipVersion: 4 | 6 },
): UdpTarget {
  if (rate.mbps === null) {
    return { mbps: tcpReachedMbps, source: `what TCP reached (${direction}), since ${rate.source}` };
  }
  const mtu = packet.mtuBytes ?? usualMtuBytes;
  return {
    mbps: rate.mbps * udpPayloadShare(packet.datagramBytes, mtu, packet.ipVersion),
    source: `payload of a full link of ${rate.mbps} Mb/s (${rate.source}) with an MTU of ${mtu} bytes`,
  };
}
