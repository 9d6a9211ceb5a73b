import { expect, test } from 'vitest';
import { wordsOf } from '../../facts/reason-words';
import { scalarOf } from '../../facts/row-figures';
import type { StreamsRow } from '../../facts/stream-row';
import { changedRow, exampleRow, type RowChanges } from '../../testing/example-run';
import type { Seen } from './classify';
import { ndiConfiguration } from './configuration';
import { comparedTransports, transportParameters } from './declaration';
import { seenRow } from './transport';
import { transportVerdict } from './verdict';

const parameters = transportParameters.parse({ transports: ['rudp', 'tcp'] });

function row(label: string, { figures, ...changes }: RowChanges = {}): StreamsRow {
  const counts = { framesScheduled: 600, framesDropped: 0, framesSenderMissed: 0 };
  return changedRow(exampleRow(1), {
    ...{ label, streams: 1, verdict: 'PASS', reason: '', sender: { cpuMeanPercent: 30 } },
    step: { 'transport.asked': label.split(':')[0] ?? '' },
    figures: { ...counts, 'latencyMs.p99': 4, ...figures },
    ...changes,
  });
}

const rudp = { asked: 'rudp', runtimeNumber: null, version: '' } as const;

const seen = (...transports: Seen['transports']): Seen => ({
  ...{
    transports,
    tcpMbps: 9,
    networkMbps: 10,
    tcpConnections: 2,
    udpSockets: 0,
    text: `${transports.join()} was seen`,
  },
});

test('a row over what was asked for keeps its verdict and reports what was seen', () => {
  const reported = seenRow(row('rudp: 1 stream'), { ...rudp, version: '6.3.2.0' }, seen('rudp'));
  expect(reported.verdict).toBe('PASS');
  expect({ ...reported.step, ...reported.figures }).toMatchObject({
    ...{ 'transport.asked': 'rudp', 'transport.seen': 'rudp', 'transport.runtime': '6.3.2.0' },
  });
});

test.each([
  [['single-tcp'], 'single-tcp'],
  [['rudp', 'udp'], 'rudp + udp'],
  [[], 'none'],
] as const)('a row over %j is INVALID where rudp was asked for', (transports, reported) => {
  const failed = { verdict: 'FAIL', reason: '3 frames dropped' } as const;
  const unlike = seenRow(row('rudp: 1 stream', failed), rudp, seen(...transports));
  expect(unlike.verdict).toBe('INVALID');
  expect(wordsOf(unlike.reason)).toBe(
    `3 frames dropped, not judged: rudp was asked for, ${transports.join()} was seen`,
  );
  expect(scalarOf(unlike, 'transport.seen')).toBe(reported);
});

test('transports are compared by what they lost, the best first', () => {
  const rows = [
    row('no stream', { streams: 0 }),
    row('rudp: 1 stream', { verdict: 'FAIL', reason: '6 frames dropped', figures: { framesDropped: 6 } }),
    row('rudp: 2 streams', { streams: 2, figures: { 'latencyMs.p99': 9 } }),
    row('tcp: 1 stream'),
  ];
  expect(transportVerdict(rows, parameters)).toEqual({
    verdict: 'FAIL',
    reason:
      'tcp lost 0 of 600 frames, latency p99 4.0 ms, CPU 30 %; ' +
      'rudp lost 6 of 1200 frames, latency p99 4.0 ms, CPU 30 %; ' +
      'latency and CPU are those of 1 stream; rudp: 1 stream: 6 frames dropped',
  });
});

test('a run that fails for something else than a loss says for what, and how many rows did not pass', () => {
  const rows = [
    row('rudp: 1 stream', { verdict: 'WARN', reason: '1 frame torn', figures: { framesTorn: 1 } }),
    row('tcp: 1 stream', { verdict: 'FAIL', reason: 'stood still once' }),
  ];
  expect(transportVerdict(rows, parameters)).toEqual({
    verdict: 'FAIL',
    reason:
      'tcp lost 0 of 600 frames, latency p99 4.0 ms, CPU 30 %; ' +
      'rudp lost 1 of 600 frames, latency p99 4.0 ms, CPU 30 %; ' +
      'tcp: 1 stream: stood still once; 1 other row was WARN',
  });
});

test('transports that were never measured with the same number of streams are not compared by load or latency', () => {
  const rows = [row('rudp: 1 stream'), row('tcp: 2 streams', { streams: 2 })];
  expect(transportVerdict(rows, parameters).reason).toBe(
    'rudp lost 0 of 600 frames; tcp lost 0 of 600 frames',
  );
});

test('what is INVALID is not compared, and reported last', () => {
  const other = row('tcp: 1 stream', { verdict: 'INVALID', reason: 'tcp was asked for, rudp was seen' });
  expect(transportVerdict([row('rudp: 1 stream'), other], parameters)).toEqual({
    verdict: 'INVALID',
    reason:
      'rudp lost 0 of 600 frames, latency p99 4.0 ms, CPU 30 %; tcp: 1 stream: tcp was asked for, rudp was seen',
  });
});

test('of each transport, and of the rows without a stream, the first INVALID row is reported', () => {
  const invalid = (label: string, reason: string, streams = 1): StreamsRow =>
    row(label, { verdict: 'INVALID', reason, streams });
  const rows = [
    invalid('no stream', 'stolen', 0),
    invalid('rudp: 1 stream', 'tcp was seen'),
    invalid('rudp: 2 streams', 'stolen too'),
    invalid('tcp: 1 stream', 'rudp was seen'),
  ];
  expect(transportVerdict(rows, parameters).reason).toBe(
    'no stream: stolen; rudp: 1 stream: tcp was seen; tcp: 1 stream: rudp was seen',
  );
});

test('of a transport without a row nothing is known', () => {
  expect(transportVerdict([row('rudp: 1 stream')], parameters)).toEqual({
    verdict: 'INVALID',
    reason: 'rudp lost 0 of 600 frames, latency p99 4.0 ms, CPU 30 %; 1 of 2 transports were measured',
  });
  expect(transportVerdict([], parameters)).toEqual({ verdict: 'INVALID', reason: 'no row was measured' });
});

test('by default all are compared that can run here, and what is left out is said with the reason', () => {
  const here = transportParameters.parse({});
  expect(comparedTransports(here).compared).toEqual(['rudp', 'tcp', 'udp']);
  const rows = ['rudp', 'tcp', 'udp'].map((asked) => row(`${asked}: 1 stream`));
  const { verdict, reason } = transportVerdict(rows, here);
  expect(verdict).toBe('PASS');
  expect(reason).toMatch(
    /; multicast was left out, because NDI does not use it between processes of one machine; it needs receivers in a network namespace$/,
  );
  const namespace = { receiverNamespace: '/run/netns/display', senderAddress: '10.0.0.1' };
  const apart = comparedTransports(transportParameters.parse(namespace));
  expect(apart).toEqual({ compared: ['rudp', 'tcp', 'udp', 'multicast'], leftOut: null });
  const asked = comparedTransports(transportParameters.parse({ transports: ['multicast'] }));
  expect(asked).toEqual({ compared: ['multicast'], leftOut: null });
});

test('multicast that was asked for where it cannot run is INVALID, with what it needs', () => {
  const named = { asked: 'multicast', runtimeNumber: null, version: '' } as const;
  const { verdict, reason } = seenRow(row('multicast: 1 stream'), named, seen('single-tcp'));
  expect([verdict, wordsOf(reason)]).toEqual([
    'INVALID',
    'multicast was asked for, single-tcp was seen; multicast needs receivers in a network namespace, and a route to its groups on both sides',
  ]);
});

test('a configuration allows one transport alone, to send and to receive', () => {
  const { ndi } = JSON.parse(ndiConfiguration('udp'));
  expect(Object.keys(ndi)).toEqual(['rudp', 'tcp', 'unicast', 'multicast']);
  const allowed = Object.entries<{ send: { enable: boolean }; recv: { enable: boolean } }>(ndi)
    .filter(([, { send, recv }]) => send.enable || recv.enable)
    .map(([key]) => key);
  expect(allowed).toEqual(['unicast']);
  expect(JSON.parse(ndiConfiguration('multicast')).ndi.multicast.send).toMatchObject({ ttl: 1 });
});
