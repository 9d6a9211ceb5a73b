import { isIP } from 'node:net';
import { unlikeAsked } from '../../engine/experiment/unlike-asked';
import { atMost } from '../../facts/contradiction';
import type { Fact } from '../../facts/fact';
import { type IperfServer, type IperfTest, streamBitsOf } from './iperf';
import type { IperfReport } from './iperf-report';

/** A test ends by a timer of iperf3, and the two ends see its end one after the other. */
const shorter = { share: 0.1, amount: 0.1 };
const longer = { share: 0.1, amount: 1 };
/** Of the clocks of two ends. */
const clocks = { share: 0.01, amount: 0.1 };
/** A sender catches up on what it is behind its rate, and its last block may be one too many. */
const paceShare = 0.05;
/** What iperf3 hands to TCP at once. */
const tcpBlockBytes = 131_072;

type Value = string | number | null;

/** What one repeat reports beside what was asked for; what the other end or this version does not report is null. */
type Asked = readonly [what: string, reported: Value, asked: Value];

/**
 * Whether iperf3 measured what was asked for: each setting that it repeats, and the time and the rate that it took.
 * @param elapsedSeconds of the repeat, by our own clock
 */
export function notAsAsked(
  report: IperfReport,
  test: IperfTest,
  server: IperfServer,
  elapsedSeconds: number,
): Fact[] {
  return [
    ...settingsOf(report, test, server).flatMap((setting) => unlikeAsked('iperf3', ...setting)),
    ...timeOf(report, test, elapsedSeconds),
    ...rateOf(report, test),
  ];
}

function settingsOf({ settings, ...report }: IperfReport, test: IperfTest, server: IperfServer): Asked[] {
  return [
    ['host', settings.host, server.host],
    // A name is resolved by iperf3, and an address of IPv6 has several forms.
    ['host connected to', isIP(server.host) === 4 ? settings.connectedHost : null, server.host],
    ['port', settings.port, server.port],
    ['protocol', report.protocol, test.datagramBytes === null ? 'TCP' : 'UDP'],
    ['direction', directionOf(settings.isReverse), test.direction],
    ['both directions at once', yesOrNo(settings.isBothWays), 'no'],
    ['streams', report.streams, test.streams],
    ['streams with figures', report.parts.streams, test.streams],
    ['seconds', settings.durationSeconds, test.durationSeconds],
    ['seconds left out at the start', settings.omitSeconds, test.omitSeconds],
    ['end by bytes', settings.lastByte, 0],
    ['end by blocks', settings.lastBlock, 0],
    ['type of service', settings.typeOfService, 0],
    ['bits a second of each stream', settings.targetBits, streamBitsOf(test)],
    // TCP chooses its own.
    ['bytes of a datagram', test.datagramBytes && report.blockBytes, test.datagramBytes],
  ];
}

function directionOf(isReverse: boolean | null): string | null {
  return isReverse === null ? null : isReverse ? 'receive' : 'send';
}

function yesOrNo(value: boolean | null): string | null {
  return value === null ? null : value ? 'yes' : 'no';
}

function timeOf(
  { sentSeconds, receivedSeconds }: IperfReport,
  test: IperfTest,
  elapsedSeconds: number,
): Fact[] {
  const asked = [test.durationSeconds, 's asked for'] as const;
  const elapsed = [elapsedSeconds - test.omitSeconds, 's by our own clock'] as const;
  const sent = [sentSeconds, 's measured by the sender'] as const;
  const received = [receivedSeconds, 's measured by the receiver'] as const;
  return [
    ...[sent, received].flatMap((measured) => [
      ...atMost('time', asked, measured, shorter),
      ...atMost('time', measured, elapsed, clocks),
    ]),
    // Through the queue of a full link, the receiver may hear of the end much later.
    ...atMost('time', sent, asked, longer),
  ];
}

function rateOf({ sentMbps, sentSeconds }: IperfReport, test: IperfTest): Fact[] {
  if (sentSeconds === null) return [];
  const block = test.datagramBytes ?? tcpBlockBytes;
  const oneBlockMbps = (8 * block * test.streams) / sentSeconds / 1e6;
  return atMost('rate', [sentMbps, 'Mb/s sent'], [test.targetMbps, 'Mb/s asked for'], {
    ...{ share: paceShare, amount: oneBlockMbps },
  });
}
