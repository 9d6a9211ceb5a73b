import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parseIperfReport } from './iperf-report';

/** Recorded from iperf3 3.12. */
const recorded = (name: string): string => readFileSync(join(__dirname, 'data', `${name}.txt`), 'utf8');

test('TCP: what the receiver counted, retransmits, both CPUs, round trip under load, congestion control', () => {
  const report = parseIperfReport(recorded('tcp-send'));
  expect(report).toMatchObject({ protocol: 'TCP', streams: 1, blockBytes: 131072, udp: null });
  expect(report.throughputMbps).toBeCloseTo(37513.74, 2);
  expect(report.sentMbps).toBeCloseTo(37517.21, 2);
  expect(report.dataMb).toBeCloseTo(9378.857, 3);
  expect(report.localCpuPercent).toBeCloseTo(87.51, 2);
  expect(report.remoteCpuPercent).toBeCloseTo(67.53, 2);
  expect(report.tcp).toEqual({ retransmits: 16, meanRttMs: 0.047, congestion: 'bbr' });
});

test('TCP the other way: all streams together, and no round trip, which only the sender knows', () => {
  const report = parseIperfReport(recorded('tcp-receive-2-streams'));
  expect(report.streams).toBe(2);
  expect(report.throughputMbps).toBeCloseTo(26746.3, 1);
  expect(report.tcp).toMatchObject({ retransmits: 0, meanRttMs: null });
});

test('UDP: datagrams, jitter and loss in both directions', () => {
  const sent = parseIperfReport(recorded('udp-send'));
  expect(sent).toMatchObject({ protocol: 'UDP', blockBytes: 1400, tcp: null });
  expect(sent.udp).toEqual({
    ...{ datagramsReported: 17851, datagramsSent: 17851, datagramsReceived: 17851, receivedBy: 'bytes' },
    ...{ datagramsCounted: 17851, reportedLost: 0, reportedLossPercent: 0 },
    ...{ lostByNumbers: 0, lostByBytes: 0, datagramsLost: 0 },
    lossPercent: 0,
    jitterMs: 0.00269599322524364,
    outOfOrder: 0,
  });
  expect(sent.throughputMbps).toBeCloseTo(99.958, 3);
  expect(parseIperfReport(recorded('udp-send-2-streams'))).toMatchObject({
    streams: 2,
    udp: { datagramsSent: 35700, datagramsLost: 0 },
  });
  expect(parseIperfReport(recorded('udp-receive')).udp?.datagramsReceived).toBe(382);
});

test('UDP throughput is the receiver’s, which lacks what a filter of 1 % took', () => {
  const report = parseIperfReport(recorded('udp-lossy'));
  expect(report.udp).toMatchObject({ datagramsSent: 40167, datagramsReceived: 39765, datagramsLost: 402 });
  expect(report.udp?.lossPercent).toBeCloseTo(1, 2);
  expect(report.throughputMbps).toBeCloseTo(148.445, 3);
  expect(report.sentMbps).toBeCloseTo(149.951, 3);
});

test('UDP datagrams after which the receiver heard nothing more are lost too', () => {
  const { udp } = parseIperfReport(recorded('udp-lost-tail'));
  expect(udp).toMatchObject({ datagramsSent: 6865, datagramsReceived: 6058, datagramsLost: 361 + 446 });
});

test.each([
  ['refused', /iperf3 failed: unable to connect to server: Connection refused/],
  ['busy', /the server is busy running a test/],
  ['server-killed', /unable to write to stream socket: Connection reset by peer/],
  ['server-killed-udp', /control socket has closed unexpectedly/],
])('an error that comes with exit status 0 is one: %s', (name, message) => {
  expect(() => parseIperfReport(recorded(name))).toThrow(message);
});

test('nonsense is refused with what was said', () => {
  expect(() => parseIperfReport('Segmentation fault')).toThrow(/no whole report.*Segmentation fault/);
  expect(() => parseIperfReport('', { exitCode: 1, stderr: 'iperf3: out of memory' })).toThrow(
    /no whole report, exit status 1\): iperf3: out of memory/,
  );
  expect(() => parseIperfReport('null')).toThrow(/no whole report/);
  expect(() => parseIperfReport(recorded('udp-send').slice(0, 1500))).toThrow(/no whole report/);
  expect(() => parseIperfReport('{}')).toThrow(/start is not/);
  expect(() => parseIperfReport('{"start":{},"end":{}}')).toThrow(/end is not/);
  expect(() => parseIperfReport(recorded('udp-send'), { exitCode: 1, stderr: 'it broke' })).toThrow(
    /it broke/,
  );
  expect(() => parseIperfReport(recorded('udp-send'), { exitCode: 1 })).toThrow(/ended with status 1/);
});
