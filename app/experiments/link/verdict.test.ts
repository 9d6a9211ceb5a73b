import { expect, test } from 'vitest';
import { atMost } from '../../facts/contradiction';
import type { Scalar } from '../../facts/figure';
import type { ClosedRow } from '../../facts/row';
import type { Verdict } from '../../facts/verdict';
import { sentence } from '../../testing/sentence';
import { linkVerdict } from './verdict';

function row(label: string, verdict: Verdict, values: Record<string, Scalar>): ClosedRow {
  const figures = Object.fromEntries(Object.entries(values).map(([key, value]) => [`link.${key}`, value]));
  const rest = { step: {}, subjects: [], load: {}, notMeasured: {}, reason: sentence(`why ${label}`) };
  return { index: 0, label, verdict, figures, from: '', to: '', ...rest };
}

const tcp = row('TCP', 'PASS', { protocol: 'TCP', direction: 'send', streams: 1, throughputMbps: 940 });
const udp = (size: number, throughputMbps: number, verdict: Verdict, direction = 'send'): ClosedRow =>
  row(`UDP ${size} ${direction}`, verdict, {
    ...{ protocol: 'UDP', direction, streams: 1, datagramBytes: size, throughputMbps, lossPercent: 0 },
  });

test('of a sweep the size that carried most counts, in each direction', () => {
  const sweep = [udp(64, 90, 'INVALID'), udp(1472, 957, 'PASS'), udp(65507, 900, 'FAIL')];
  expect(linkVerdict([tcp, ...sweep])).toEqual({
    verdict: 'PASS',
    reason: 'TCP: 940.0 Mb/s; UDP 1472 send: 957.0 Mb/s, 0.000 % lost',
  });
  const other = linkVerdict([tcp, ...sweep, udp(1472, 500, 'FAIL', 'receive')]);
  expect(other.verdict).toBe('FAIL');
  expect(other.reason).toMatch(/\. UDP 1472 receive: why UDP 1472 receive$/);
});

test('every TCP row and ping counts', () => {
  const ping = row('ping', 'WARN', { protocol: 'ping', rttMs: null });
  expect(linkVerdict([ping, tcp])).toEqual({
    verdict: 'WARN',
    reason: 'RTT not measured; TCP: 940.0 Mb/s. ping: why ping',
  });
  // Why it does not count comes first, and its figures are not said again.
  expect(linkVerdict([tcp, { ...tcp, verdict: 'INVALID' }])).toEqual({
    verdict: 'INVALID',
    reason: 'TCP: why TCP. TCP: 940.0 Mb/s',
  });
  expect(linkVerdict([{ ...tcp, verdict: 'INVALID' }]).reason).toBe('TCP: why TCP');
});

test('the reason is that of the row that decides, and says how many others did not pass', () => {
  const ping = row('ping', 'WARN', { protocol: 'ping', rttMs: null });
  const { verdict, reason } = linkVerdict([ping, { ...tcp, verdict: 'FAIL' }]);
  expect(verdict).toBe('FAIL');
  expect(reason).toMatch(/\. TCP: why TCP; 1 other row was WARN$/);
});

test('a row that contradicts itself hides no other of its sweep, and makes the run INVALID', () => {
  const reason = atMost('line rate', [71_430, 'Mb/s received'], [1000, 'Mb/s line rate']);
  const impossible = { ...udp(65507, 71_430, 'INVALID'), reason };
  const alone = linkVerdict([tcp, impossible, udp(1472, 957, 'PASS')]);
  expect(alone.verdict).toBe('INVALID');
  expect(alone.reason).toContain('UDP 1472 send: 957.0 Mb/s');
  const failed = linkVerdict([tcp, impossible, udp(1472, 957, 'FAIL')]);
  expect(failed.verdict).toBe('FAIL');
  expect(failed.reason).toMatch(/UDP 1472 send: why UDP 1472 send; 1 other row was INVALID$/);
});

test('no figure of a row that is INVALID is quoted', () => {
  const ping = row('ping', 'INVALID', { protocol: 'ping', rttMs: 0.047 });
  const failed = linkVerdict([ping, { ...tcp, verdict: 'FAIL' }]);
  expect(failed.reason).toBe('TCP: 940.0 Mb/s. TCP: why TCP; 1 other row was INVALID');
  const invalid = linkVerdict([ping, { ...tcp, verdict: 'INVALID' }, udp(1472, 957, 'INVALID')]);
  expect(invalid.reason).toBe('ping: why ping; 2 other rows were not PASS (2 INVALID)');
});

test('an INVALID row of UDP hides no slow TCP', () => {
  const { verdict, reason } = linkVerdict([{ ...tcp, verdict: 'FAIL' }, udp(1472, 957, 'INVALID')]);
  expect(verdict).toBe('FAIL');
  expect(reason).toMatch(/TCP: why TCP; 1 other row was INVALID$/);
});

const held = (ndiStreams: number, verdict: Verdict, lost: number | null, protocol = 'UDP'): ClosedRow =>
  row(`${protocol} at ${ndiStreams}`, verdict, {
    ...{ protocol, direction: 'send', streams: ndiStreams, ndiStreams, targetMbps: 120 * ndiStreams },
    ...{ throughputMbps: 120 * ndiStreams, [protocol === 'UDP' ? 'lossPercent' : 'retransmits']: lost },
  });

test.each<[string, ClosedRow[], Verdict, string]>([
  [
    'all',
    [held(1, 'PASS', 0), held(2, 'PASS', 0)],
    'PASS',
    'carried 2 streams’ worth (240.0 Mb/s) without loss',
  ],
  [
    'all but the last',
    [held(1, 'PASS', 0), held(2, 'FAIL', 3)],
    'FAIL',
    'carried one stream’s worth (120.0 Mb/s) without loss',
  ],
  [
    'a larger number after a loss',
    [held(1, 'PASS', 0), held(2, 'WARN', 0.01), held(4, 'PASS', 0)],
    'WARN',
    'carried one stream’s worth',
  ],
  ['late seconds', [held(1, 'PASS', 0), held(2, 'WARN', 0)], 'WARN', 'carried 2 streams’ worth'],
  ['none', [held(1, 'FAIL', 3)], 'FAIL', 'not even one stream’s worth without loss'],
  [
    'nothing known',
    [held(1, 'INVALID', 0), held(2, 'PASS', 0)],
    'INVALID',
    'how many streams’ worth it carries is not known',
  ],
])('the rates of streams: %s', (_, rows, verdict, words) => {
  const found = linkVerdict(rows);
  expect(found.verdict).toBe(verdict);
  expect(found.reason).toContain(`UDP to the other end: ${words}`);
});

test('of TCP, what was sent again is a loss; no such row hides in the sweep of datagrams', () => {
  const { verdict, reason } = linkVerdict([
    udp(1472, 957, 'PASS'),
    held(1, 'WARN', 5, 'TCP'),
    held(1, 'FAIL', 3),
  ]);
  expect(verdict).toBe('FAIL');
  expect(reason).toContain('UDP 1472 send: 957.0 Mb/s');
  expect(reason).toContain('TCP to the other end: not even one stream’s worth without segments sent again');
});

test('a throughput that was not reported is not measured', () => {
  const { figures, ...rest } = tcp;
  const unknown = { ...rest, verdict: 'WARN' as const, figures: { ...figures, 'link.throughputMbps': null } };
  expect(linkVerdict([unknown]).reason).toBe('TCP: throughput not measured. TCP: why TCP');
});

test('no row is no result', () => {
  expect(linkVerdict([]).verdict).toBe('INVALID');
});
