import { expect, test } from 'vitest';
import { whyNoOwnServer } from '../../engine/tools/iperf-server';
import { wordsOf } from '../../facts/reason-words';
import { notAsAsked } from './as-asked';
import { linkContradictions } from './contradictions';
import { type IperfServer, type IperfTest, iperfArguments, whyNoServer } from './iperf';
import { type IperfReport, parseIperfReport } from './iperf-report';

/** Reports written from knowledge of what each version prints, none of them recorded: of 2 s of TCP at 800 Mb/s, or of 10,000 datagrams of 1250 bytes. */

const seconds = 2;
const host = '192.0.2.7';
const cpu = {
  host_total: 12.5,
  host_user: 1,
  host_system: 11.5,
  remote_total: 25,
  remote_user: 5,
  remote_system: 20,
};
const sumOf = (bytes: number, more: object = {}) => ({
  ...{ start: 0, end: seconds, seconds, bytes, bits_per_second: (8 * bytes) / seconds },
  ...more,
});

function startOf(version: string | null, udp: boolean, more: object = {}): object {
  return {
    ...(version && { version }),
    connected: [
      { socket: 5, local_host: '192.0.2.1', local_port: 4000, remote_host: host, remote_port: 5201 },
    ],
    connecting_to: { host, port: 5201 },
    test_start: {
      ...{
        protocol: udp ? 'UDP' : 'TCP',
        num_streams: 1,
        blksize: udp ? 1250 : 131_072,
        omit: 0,
        duration: 2,
      },
      ...{ bytes: 0, blocks: 0, reverse: 0, ...more },
    },
  };
}

const tcpBytes = 200e6;
const interval = { sum: { ...sumOf(tcpBytes), omitted: false } };

interface TcpShape {
  start?: object;
  sender?: object;
  end?: object;
  intervals?: unknown;
}

function tcp(
  version: string | null,
  { start = {}, sender = {}, end = {}, intervals = [interval] }: TcpShape = {},
) {
  return {
    ...{ start: startOf(version, false, start), intervals },
    end: {
      streams: [{ sender: sumOf(tcpBytes, sender), receiver: sumOf(tcpBytes) }],
      ...{ sum_sent: sumOf(tcpBytes, sender), sum_received: sumOf(tcpBytes), cpu_utilization_percent: cpu },
      ...end,
    },
  };
}

interface UdpShape {
  lost?: number;
  /** That the receiver counted. */
  counted?: number;
  start?: object;
  end?: object;
  received?: number;
}

const sent = 10_000;
const datagramBytes = 1250;
const sentBytes = sent * datagramBytes;

/** Up to 3.9: one sum. */
function oldUdp(
  version: string | null,
  { lost = 0, counted = sent, start = {}, end = {}, received }: UdpShape = {},
) {
  const share = {
    jitter_ms: 0.02,
    lost_packets: lost,
    packets: counted,
    lost_percent: (100 * lost) / counted,
  };
  const own = (received ?? sent) * datagramBytes;
  return {
    ...{ start: startOf(version, true, start), intervals: [{ sum: { ...sumOf(own), omitted: false } }] },
    end: {
      streams: [{ udp: { ...sumOf(sentBytes, share), out_of_order: 0 } }],
      ...{ sum: sumOf(sentBytes, share), cpu_utilization_percent: cpu, ...end },
    },
  };
}

/** From 3.10 on: a sum of each end. */
function udp(version: string | null, { lost = 0, received = sent - lost, ...more }: UdpShape = {}) {
  const old = oldUdp(version, { lost, ...more });
  const share = { jitter_ms: 0.02, lost_packets: lost, packets: sent, lost_percent: (100 * lost) / sent };
  const sum_sent = sumOf(sentBytes, { jitter_ms: 0, lost_packets: 0, packets: sent, lost_percent: 0 });
  const sum_received = sumOf(received * datagramBytes, share);
  return { ...old, end: { ...old.end, sum_sent, sum_received, ...more.end } };
}

const server: IperfServer = { host, port: 5201, callerVersion: null };
const tcpTest: IperfTest = {
  ...{ direction: 'send', streams: 1, durationSeconds: 2, omitSeconds: 0 },
  ...{ datagramBytes: null, targetMbps: null },
};
const udpTest: IperfTest = { ...tcpTest, datagramBytes, targetMbps: 50 };

/** What a row would say against the figures. */
function said(report: IperfReport, direction: IperfTest['direction'] = 'send'): string {
  const asked = { ...(report.udp ? udpTest : tcpTest), direction };
  const rate = { mbps: 1000, source: 'as given' };
  return wordsOf([...notAsAsked(report, asked, server, 2.2), ...linkContradictions(report, rate, 16)]);
}

const whole = {
  ...{ protocol: 'TCP', streams: 1, throughputMbps: 800, sentMbps: 800, dataMb: 200 },
  ...{ localCpuPercent: 12.5, remoteCpuPercent: 25, intervals: [{ mb: 200, seconds: 2 }], udp: null },
};
const linux = { retransmits: 3, snd_cwnd: 9, mean_rtt: 900 };
const onLinux = { tcp: { retransmits: 3, meanRttMs: 0.9, congestion: 'not reported' } };
const congestion = { sender_tcp_congestion: 'cubic', receiver_tcp_congestion: 'cubic' };
const noRetransmits = { tcp: { retransmits: null, meanRttMs: null, congestion: 'cubic' } };

test.each<[string, object, object]>([
  [
    '3.0.11: no round trips',
    tcp('iperf 3.0.11', { sender: { retransmits: 3 } }),
    { ...onLinux, tcp: { ...onLinux.tcp, meanRttMs: null } },
  ],
  ['3.1.7', tcp('iperf 3.1.7', { sender: linux }), onLinux],
  [
    '3.5',
    tcp('iperf 3.5', { sender: linux, end: congestion }),
    { tcp: { ...onLinux.tcp, congestion: 'cubic' } },
  ],
  ['3.7 on macOS: no retransmits', tcp('iperf 3.7', { end: congestion }), noRetransmits],
  [
    '3.15 on Windows: −1 retransmits',
    tcp('iperf 3.15', { sender: { retransmits: -1 }, end: congestion }),
    noRetransmits,
  ],
  [
    '3.16 without its CPU',
    tcp('iperf 3.16', { sender: linux, end: { cpu_utilization_percent: undefined } }),
    { ...onLinux, localCpuPercent: null, remoteCpuPercent: null },
  ],
  [
    '3.17.1 with the CPU of one end',
    tcp('iperf 3.17.1', { sender: linux, end: { cpu_utilization_percent: { host_total: 12.5 } } }),
    { ...onLinux, remoteCpuPercent: null },
  ],
  [
    '3.18 without a time in an interval',
    tcp('iperf 3.18', { sender: linux, intervals: [{ sum: { bytes: tcpBytes } }] }),
    { ...onLinux, intervals: [{ mb: 200, seconds: null }] },
  ],
  [
    '3.19 without bytes in an interval',
    tcp('iperf 3.19', { sender: linux, intervals: [interval, { sum: {} }] }),
    { ...onLinux, intervals: null },
  ],
  [
    '3.20 with no interval',
    tcp('iperf 3.20', { sender: linux, intervals: [] }),
    { ...onLinux, intervals: null },
  ],
  [
    '3.20 without intervals',
    tcp('iperf 3.20', { sender: linux, intervals: null }),
    { ...onLinux, intervals: null },
  ],
  [
    '3.21: with more than is read',
    tcp('iperf 3.21', {
      sender: linux,
      start: { tos: 0, target_bitrate: 0, bidir: 0, fqrate: 0, interval: 1 },
    }),
    onLinux,
  ],
  ['without a version', tcp(null, { sender: linux }), { ...onLinux, version: null }],
  [
    'without what was asked for',
    { ...tcp('iperf 3.12', { sender: linux }), start: { version: 'iperf 3.12' } },
    onLinux,
  ],
  [
    '3.12 without the receiver’s sum',
    tcp('iperf 3.12', { sender: linux, end: { sum_received: undefined } }),
    { ...onLinux, throughputMbps: null, dataMb: null },
  ],
  [
    '3.12 with bytes that are no number',
    tcp('iperf 3.12', { sender: linux, end: { sum_received: sumOf(-5) } }),
    { ...onLinux, throughputMbps: null, dataMb: null },
  ],
])('TCP of iperf3 %s', (_, report, differing) => {
  const parsed = parseIperfReport(JSON.stringify(report, null, '\t'));
  expect(parsed).toMatchObject({ ...whole, ...differing });
  expect(said(parsed)).toBe('');
});

const received = {
  datagramsSent: sent,
  datagramsReceived: sent,
  datagramsLost: 0,
  lossPercent: 0,
  jitterMs: 0.02,
};
const byNumbers = { ...received, receivedBy: 'numbers', lostByBytes: null };
const byBytes = { ...received, receivedBy: 'bytes', lostByBytes: 0 };
const lossy = { datagramsReceived: 9900, datagramsLost: 100, lossPercent: 1, lostByNumbers: 100 };
const ofUdp = { jitter_ms: undefined };

test.each<[string, object, object, number]>([
  ['3.0.11: one sum', oldUdp('iperf 3.0.11'), byNumbers, 50],
  [
    '3.1.3, which counts what the receiver saw',
    oldUdp('iperf 3.1.3', { counted: 9998 }),
    { ...byNumbers, datagramsReceived: 9998 },
    49.99,
  ],
  [
    '3.1.3, whose receiver heard nothing after half of it',
    oldUdp('iperf 3.1.3', { counted: 5000 }),
    { ...byNumbers, datagramsReceived: 5000, datagramsLost: 5000, lossPercent: 50 },
    25,
  ],
  ['3.9: one sum, and a loss', oldUdp('iperf 3.9', { lost: 100 }), { ...byNumbers, ...lossy }, 49.5],
  [
    '3.7 that receives',
    oldUdp('iperf 3.7', { lost: 100, received: 9900, start: { reverse: 1 } }),
    { ...byNumbers, ...lossy },
    49.5,
  ],
  ['3.10.1: two sums', udp('iperf 3.10.1', { lost: 100 }), { ...byBytes, ...lossy, lostByBytes: 100 }, 49.5],
  ['3.12', udp('iperf 3.12'), byBytes, 50],
  [
    '3.13 without jitter',
    udp('iperf 3.13', {
      end: {
        sum_received: { ...sumOf(sentBytes), packets: sent, lost_packets: 0, lost_percent: 0, ...ofUdp },
      },
    }),
    { ...byBytes, jitterMs: null },
    50,
  ],
  [
    '3.14 without an order',
    udp('iperf 3.14', { end: { streams: [{ udp: sumOf(sentBytes, { packets: sent, lost_packets: 0 }) }] } }),
    { ...byBytes, outOfOrder: null },
    50,
  ],
  [
    '3.17.1 with a server of its own age',
    udp('iperf 3.17.1', { lost: 100 }),
    { ...byBytes, ...lossy, lostByBytes: 100 },
    49.5,
  ],
  [
    '3.20 without losses, which the bytes give',
    udp('iperf 3.20', {
      end: { sum_received: { ...sumOf(sentBytes - 100 * datagramBytes), packets: sent } },
    }),
    { ...byBytes, ...lossy, lostByNumbers: null, lostByBytes: 100, jitterMs: null },
    49.5,
  ],
])('UDP of iperf3 %s', (name, report, figures, throughputMbps) => {
  const parsed = parseIperfReport(JSON.stringify(report));
  expect(parsed.udp).toMatchObject(figures);
  expect(parsed.throughputMbps).toBeCloseTo(throughputMbps, 9);
  expect(said(parsed, name.includes('that receives') ? 'receive' : 'send')).toBe('');
});

test.each<[string, object, string]>([
  [
    '3.17.1 with a server of 3.12: half of it is lost and none reported',
    udp('iperf 3.17.1', { received: 5000 }),
    '(lost datagrams): 5000 by the bytes of both ends, 0 reported, as iperf3 from 3.17 on does of a server up to 3.12',
  ],
  [
    '3.21 with the same',
    udp('iperf 3.21', { received: 5000 }),
    'as iperf3 from 3.17 on does of a server up to 3.12',
  ],
  [
    '3.12: half of it is lost and none reported',
    udp('iperf 3.12', { received: 5000 }),
    '(lost datagrams): 5000 by the bytes of both ends, 0 reported',
  ],
  [
    '3.9 that receives, and whose intervals have half of it',
    oldUdp('iperf 3.9', { received: 5000, start: { reverse: 1 } }),
    '(bytes of the intervals): 6.25 MB of the intervals together, 12.5 MB in all',
  ],
  [
    '3.9 whose sum has what arrived',
    oldUdp('iperf 3.9', {
      end: { sum: sumOf(sentBytes / 2, { packets: sent, lost_packets: 0, lost_percent: 0 }) },
    }),
    '(numbers): 10000 counted by the receiver, 5000 sent',
  ],
])('figures of iperf3 %s contradict each other', (_, report, words) => {
  const parsed = parseIperfReport(JSON.stringify(report));
  expect(said(parsed, parsed.settings.isReverse ? 'receive' : 'send')).toContain(words);
});

test('what was lost is not known where neither losses nor bytes of the receiver are reported', () => {
  const report = udp('iperf 3.12', {
    end: { sum_received: { ...sumOf(0), bytes: undefined, packets: sent } },
  });
  const { udp: figures, throughputMbps } = parseIperfReport(JSON.stringify(report));
  expect(figures).toMatchObject({ datagramsLost: null, lossPercent: null });
  expect(throughputMbps).toBeNull();
});

const text = JSON.stringify(tcp('iperf 3.12', { sender: linux }), null, '\t');

test.each<[string, string, string | undefined]>([
  [
    'a warning before it',
    `warning: UDP block size 8972 exceeds TCP MSS 1448\n${text}`,
    'warning: UDP block size 8972 exceeds TCP MSS 1448',
  ],
  ['the report again', `${text}\n${text}`, undefined],
  [
    'text after it',
    `${text}\niperf3: error - unable to close stream\n`,
    'iperf3: error - unable to close stream',
  ],
  ['a mark of the byte order before it', `\uFEFF${text}`, undefined],
])('a report with %s', (_, stdout, words) => {
  const report = parseIperfReport(stdout);
  expect(report).toMatchObject({ ...whole, ...onLinux });
  expect(report.said).toBe(words);
});

test('an error after a report is one', () => {
  const reset = '{"error":"unable to receive results: Connection reset by peer"}';
  expect(() => parseIperfReport(`${text}\n${reset}`)).toThrow(/iperf3 failed: unable to receive results/);
});

test.each([
  ['iperf 3.1.7', false],
  ['iperf 3.2', true],
  ['iperf 3.12', true],
  [null, true],
])('%s is told how long to wait for a server: %s', (callerVersion, isTold) => {
  const args = iperfArguments({ ...server, callerVersion }, udpTest);
  expect(args.includes('--connect-timeout')).toBe(isTold);
});

test.each([
  ['iperf 3.1.7', /from 3\.2 on, and this is iperf 3\.1\.7\. Install a newer one$/],
  ['iperf 3.2', null],
  ['iperf 3.21', null],
  [null, null],
])('a server of our own is started with %s', (version, message) => {
  if (message) expect(whyNoOwnServer(version)).toMatch(message);
  else expect(whyNoOwnServer(version)).toBeNull();
});

test('TCP may be held to a rate', () => {
  const args = iperfArguments(server, { ...tcpTest, streams: 4, targetMbps: 500 });
  expect(args.join(' ')).toMatch(/-P 4 -O 0 -b 125000000$/);
});

const errorOf = (error: string): string => JSON.stringify({ start: {}, intervals: [], end: {}, error });

test.each<[string, { stdout?: string; stderr?: string; exitCode?: number }, boolean | null]>([
  ['3.12, refused', { stdout: errorOf('unable to connect to server: Connection refused') }, true],
  [
    '3.16, refused',
    {
      stdout: errorOf(
        'unable to connect to server - server may have stopped running or use a different port, firewall issue, etc.: Connection refused',
      ),
      exitCode: 1,
    },
    true,
  ],
  ['3.7, timed out', { stdout: errorOf('unable to connect to server: Connection timed out') }, true],
  ['3.5, timed out', { stdout: errorOf('unable to connect to server: Operation now in progress') }, true],
  ['no way there', { stdout: errorOf('unable to connect to server: No route to host') }, true],
  [
    '3.1 without JSON, refused',
    { stderr: 'iperf3: error - unable to connect to server: Connection refused\n', exitCode: 1 },
    true,
  ],
  ['a server that is busy', { stdout: errorOf('the server is busy running a test. try again later') }, false],
  [
    'a server of something else',
    { stdout: errorOf('unable to receive control message: Connection reset by peer') },
    false,
  ],
  ['a report that cannot be read', { stdout: 'Segmentation fault', exitCode: 139 }, false],
  ['a server, with a warning', { stdout: `warning: odd\n${text}` }, null],
  ['a server, twice', { stdout: `${text}\n${text}` }, null],
  ['a server, of a client without figures', { stdout: '{"start":{},"end":{}}' }, null],
])('whether a server is there: %s', async (_, { stdout = '', stderr = '', exitCode = 0 }, isAbsent) => {
  const found = await whyNoServer(server, async () => ({ stdout, stderr, exitCode, endSignal: null }));
  expect(found?.isAbsent ?? null).toBe(isAbsent);
});

test.each([
  ['more bytes than any test counts', sumOf(1e308)],
  ['a time that is none', sumOf(tcpBytes, { seconds: 5e-324 })],
])('%s give no throughput', (_, sum_received) => {
  const report = tcp('iperf 3.12', { sender: linux, end: { sum_received } });
  expect(parseIperfReport(JSON.stringify(report))).toMatchObject({ throughputMbps: null });
});
