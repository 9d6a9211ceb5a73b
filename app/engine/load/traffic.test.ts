import { describe, expect, test } from 'vitest';
import type { SocketTraffic, TrafficGap, TrafficLook } from '../../protocol/socket-traffic';
import { compareTraffic, gapReasons, trafficReasons } from './traffic';

function look(seconds: number, sockets: Partial<SocketTraffic> | null): TrafficLook {
  const none = {
    sentBytes: 0,
    receivedBytes: 0,
    tcpSockets: 2,
    udpSockets: 0,
    gaps: 0,
    newestGap: null,
  };
  return { atNs: seconds * 1e9, sockets: sockets && { ...none, ...sockets } };
}

/** With sockets that were not counted so often. */
function gap(seconds: number, gaps: number, newestGap: TrafficGap): TrafficLook {
  return look(seconds, { udpSockets: 1, gaps, newestGap });
}

describe('what the own sockets of a role carried', () => {
  test('is the sum of its processes, each over the time between its own looks', () => {
    const before = new Map([
      [1, look(10, { sentBytes: 1e6 })],
      [2, look(10.25, { sentBytes: 5e6 })],
    ]);
    const now = new Map([
      [1, look(11, { sentBytes: 2e6, receivedBytes: 1e3 })],
      [2, look(10.75, { sentBytes: 6e6 })],
    ]);
    expect(compareTraffic(before, now)).toEqual({ sentMbps: 8 + 16, receivedMbps: 0.008 });
  });

  test('is that of UDP sockets too where they are counted; what was not counted before is past', () => {
    const before = new Map([[1, gap(10, 3, 'new-socket')]]);
    const now = new Map([[1, look(11, { udpSockets: 2, gaps: 3, newestGap: 'new-socket', sentBytes: 1e6 })]]);
    expect(compareTraffic(before, now)).toEqual({ sentMbps: 8, receivedMbps: 0 });
  });

  test.each([
    ['no process has looked', [], [], trafficReasons.none],
    ['a process is new', [], [[1, look(11, {})]], trafficReasons.fresh],
    ['a process stood still', [[1, look(10, {})]], [[1, look(10, {})]], trafficReasons.silent],
    ['the system has no such figure', [[1, look(10, null)]], [[1, look(11, null)]], trafficReasons.system],
    ['UDP was not counted', [[1, look(10, {})]], [[1, gap(11, 1, 'not-allowed')]], gapReasons['not-allowed']],
    [
      'UDP is not counted on',
      [[1, gap(10, 7, 'no-library')]],
      [[1, gap(11, 9, 'no-library')]],
      gapReasons['no-library'],
    ],
    [
      'a TCP socket was closed',
      [[1, look(10, {})]],
      [[1, gap(11, 1, 'closed-socket')]],
      gapReasons['closed-socket'],
    ],
    [
      'one of two processes has a new UDP socket',
      [
        [1, look(10, {})],
        [2, look(10, {})],
      ],
      [
        [1, look(11, {})],
        [2, gap(11, 1, 'new-socket')],
      ],
      gapReasons['new-socket'],
    ],
  ] as [string, [number, TrafficLook][], [number, TrafficLook][], string][])(
    'is not measured where %s',
    (_, before, now, reason) => {
      expect(compareTraffic(new Map(before), new Map(now))).toBe(reason);
    },
  );
});
