import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { wordsOf } from '../../facts/reason-words';
import { notAsAsked } from './as-asked';
import { linkContradictions } from './contradictions';
import type { IperfTest } from './iperf';
import { parseIperfReport } from './iperf-report';

const server = { host: '127.0.0.1', port: 5300, callerVersion: 'iperf 3.12' };
const elapsedSeconds = 2.2;
const tcp: IperfTest = {
  ...{ direction: 'send', streams: 1, durationSeconds: 2, omitSeconds: 0 },
  ...{ datagramBytes: null, targetMbps: null },
};
const udp: IperfTest = { ...tcp, datagramBytes: 1400, targetMbps: 100 };

const tests: Record<string, IperfTest> = {
  'tcp-send': tcp,
  'tcp-receive-2-streams': { ...tcp, direction: 'receive', streams: 2 },
  'udp-send': udp,
  'udp-send-2-streams': { ...udp, streams: 2, targetMbps: 200 },
  'udp-receive': { ...udp, direction: 'receive', datagramBytes: 65507 },
};

/** A recorded report of iperf3 with some of its values changed, by their paths. */
function said(name: string, changes: Record<string, unknown> = {}, seconds = elapsedSeconds): string {
  const raw = JSON.parse(readFileSync(join(__dirname, 'data', `${name}.txt`), 'utf8'));
  for (const [path, value] of Object.entries(changes)) {
    const keys = path.split('.');
    const last = keys.pop() ?? '';
    keys.reduce((at, key) => at[key], raw)[last] = value;
  }
  const report = parseIperfReport(JSON.stringify(raw));
  const rate = { mbps: null, source: 'loopback has no speed' };
  const test = tests[name] ?? tcp;
  const facts = [...notAsAsked(report, test, server, seconds), ...linkContradictions(report, rate, 16)];
  return wordsOf(facts);
}

test.each(Object.keys(tests))('what iperf3 really measured is what was asked for: %s', (name) => {
  expect(said(name)).toBe('');
});

const ofStart = 'start.test_start';
const sent = 'end.sum_sent';
const received = 'end.sum_received';

test.each<[string, string, Record<string, unknown>, string]>([
  [
    'another host',
    'tcp-send',
    { 'start.connecting_to.host': '192.0.2.9' },
    '(host): 192.0.2.9 reported, 127.0.0.1 asked for',
  ],
  [
    'a connection to another host',
    'tcp-send',
    { 'start.connected.0.remote_host': '192.0.2.9' },
    '(host connected to): 192.0.2.9 reported, 127.0.0.1 asked for',
  ],
  ['another port', 'tcp-send', { 'start.connecting_to.port': 5201 }, '(port): 5201 reported, 5300 asked for'],
  [
    'the other direction',
    'tcp-send',
    { [`${ofStart}.reverse`]: 1 },
    '(direction): receive reported, send asked for',
  ],
  [
    'the other direction, asked to receive',
    'udp-receive',
    { [`${ofStart}.reverse`]: 0 },
    '(direction): send reported, receive asked for',
  ],
  [
    'both directions',
    'tcp-send',
    { [`${ofStart}.bidir`]: 1 },
    '(both directions at once): yes reported, no asked for',
  ],
  ['more streams', 'tcp-send', { [`${ofStart}.num_streams`]: 4 }, '(streams): 4 reported, 1 asked for'],
  ['a shorter test', 'tcp-send', { [`${ofStart}.duration`]: 1 }, '(seconds): 1 reported, 2 asked for'],
  [
    'an omitted start',
    'udp-send',
    { [`${ofStart}.omit`]: 1 },
    '(seconds left out at the start): 1 reported, 0 asked for',
  ],
  ['an end by bytes', 'tcp-send', { [`${ofStart}.bytes`]: 9 }, '(end by bytes): 9 reported, 0 asked for'],
  ['an end by blocks', 'tcp-send', { [`${ofStart}.blocks`]: 9 }, '(end by blocks): 9 reported, 0 asked for'],
  [
    'a class of service',
    'tcp-send',
    { [`${ofStart}.tos`]: 184 },
    '(type of service): 184 reported, 0 asked for',
  ],
  [
    'another rate',
    'udp-send',
    { [`${ofStart}.target_bitrate`]: 1e6 },
    '(bits a second of each stream): 1000000 reported, 100000000 asked for',
  ],
  [
    'a limit of TCP',
    'tcp-send',
    { [`${ofStart}.target_bitrate`]: 1e6 },
    '(bits a second of each stream): 1000000 reported, 0 asked for',
  ],
  [
    'smaller datagrams',
    'udp-send',
    { [`${ofStart}.blksize`]: 1200 },
    '(bytes of a datagram): 1200 reported, 1400 asked for',
  ],
  [
    'time that is short',
    'udp-send',
    { [`${received}.seconds`]: 0.4 },
    '(time): 2 s asked for, 0.4 s measured by the receiver',
  ],
  [
    'a sender’s time that is short',
    'udp-send',
    { [`${sent}.seconds`]: 0.4 },
    '(time): 2 s asked for, 0.4 s measured by the sender',
  ],
  [
    'time that is long',
    'udp-send',
    { [`${received}.seconds`]: 4 },
    '(time): 4 s measured by the receiver, 2.2 s by our own clock',
  ],
  [
    'a stream without figures',
    'tcp-receive-2-streams',
    { 'end.streams.length': 1 },
    '(streams with figures): 1 reported, 2 asked for',
  ],
  [
    'a loss below 0',
    'udp-send',
    { [`${received}.lost_packets`]: -5 },
    '(count of lost datagrams): 0 at least, -5 reported',
  ],
  [
    'an order below 0',
    'udp-send',
    { 'end.streams.0.udp.out_of_order': -2 },
    '(count out of order): 0 at least, -2 reported',
  ],
  [
    'a share without a loss',
    'udp-send',
    { [`${received}.lost_percent`]: 2 },
    '(share lost): 2 % lost as reported, 0 % by the counts',
  ],
  [
    'a loss without its share',
    'udp-send',
    { [`${received}.lost_packets`]: 900 },
    '(share lost): 5.042 % by the counts, 0 % lost as reported',
  ],
  [
    'bytes of no stream',
    'tcp-send',
    { [`${sent}.bytes`]: 9e9 },
    '(bytes sent): 9379.512 MB of the streams together, 9000 MB in all',
  ],
  [
    'received bytes of no stream',
    'tcp-send',
    { [`${received}.bytes`]: 9.3e9 },
    '(bytes received): 9378.857 MB of the streams together, 9300 MB in all',
  ],
  [
    'retransmits of no stream',
    'tcp-send',
    { [`${sent}.retransmits`]: 0 },
    '(retransmits): 16 of the streams together, 0 in all',
  ],
  [
    'losses of a stream alone',
    'udp-send',
    { 'end.streams.0.udp.lost_packets': 7 },
    '(losses in all): 7 of the streams together, 0 in all',
  ],
  [
    'datagrams of a stream alone',
    'udp-send',
    { 'end.streams.0.udp.packets': 7 },
    '(datagrams in all): 7 of the streams together, 17851 in all',
  ],
  [
    'bytes of other datagrams',
    'udp-send',
    { [`${sent}.packets`]: 9000 },
    '(size): 12.6 MB by the datagrams, 24.991 MB sent',
  ],
  [
    'a rate that the bytes do not have',
    'udp-send',
    { [`${sent}.bits_per_second`]: 9e7 },
    '(rate sent): 99.96 Mb/s by the bytes, 90 Mb/s reported',
  ],
])('%s makes the row INVALID', (_, name, changes, words) => {
  expect(said(name, changes)).toContain(words);
});

test('the protocol is the one that was asked for', () => {
  const report = parseIperfReport(readFileSync(join(__dirname, 'data/tcp-send.txt'), 'utf8'));
  expect(wordsOf(notAsAsked(report, udp, server, elapsedSeconds))).toContain(
    '(protocol): TCP reported, UDP asked for',
  );
});

test('a sender ends in time; a receiver may hear of the end late, through the queue of a full link', () => {
  expect(said('tcp-send', { [`${sent}.seconds`]: 4 }, 9)).toContain(
    '(time): 4 s measured by the sender, 2 s asked for',
  );
  expect(said('tcp-send', { [`${received}.seconds`]: 6 }, 9)).not.toContain('(time)');
});

test('no time is measured that did not go by', () => {
  expect(said('tcp-send', {}, 0.5)).toContain('(time): 2 s measured by the sender, 0.5 s by our own clock');
});

test('a sender does not exceed its rate', () => {
  const report = parseIperfReport(readFileSync(join(__dirname, 'data/udp-send.txt'), 'utf8'));
  const slow = { ...udp, targetMbps: 50 };
  expect(wordsOf(notAsAsked(report, slow, server, elapsedSeconds))).toContain(
    '(rate): 99.96 Mb/s sent, 50 Mb/s asked for',
  );
});

test.each(['bidir', 'tos', 'target_bitrate', 'bytes', 'blocks'])(
  '%s is not in every version’s report',
  (key) => {
    expect(said('udp-send', { [`${ofStart}.${key}`]: undefined })).toBe('');
  },
);
