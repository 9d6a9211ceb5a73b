import { describe, expect, test } from 'vitest';
import type { SocketTraffic, TrafficLook } from '../../protocol/socket-traffic';
import { compareTraffic, trafficReasons } from './traffic';

function look(seconds: number, sockets: Partial<SocketTraffic> | null): TrafficLook {
  const none = { sentBytes: 0, receivedBytes: 0, tcpSockets: 2, udpSockets: 0 };
  return { atNs: seconds * 1e9, sockets: sockets && { ...none, ...sockets } };
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

  test.each([
    ['no process has looked', [], [], trafficReasons.none],
    ['a process is new', [], [[1, look(11, {})]], trafficReasons.fresh],
    ['a process stood still', [[1, look(10, {})]], [[1, look(10, {})]], trafficReasons.silent],
    ['the system has no such figure', [[1, look(10, null)]], [[1, look(11, null)]], trafficReasons.system],
    ['a UDP socket came', [[1, look(10, {})]], [[1, look(11, { udpSockets: 1 })]], trafficReasons.udp],
    ['a UDP socket went', [[1, look(10, { udpSockets: 1 })]], [[1, look(11, {})]], trafficReasons.udp],
  ] as [string, [number, TrafficLook][], [number, TrafficLook][], string][])(
    'is not measured where %s',
    (_, before, now, reason) => {
      expect(compareTraffic(new Map(before), new Map(now))).toBe(reason);
    },
  );
});
