import { expect, test } from 'vitest';
import { atMost } from '../../../protocol/contradiction';
import { sentence } from '../../../protocol/fact';
import type { Scalar } from '../../../protocol/figure';
import type { ClosedRow } from '../../../protocol/row';
import type { Verdict } from '../../../protocol/verdict';
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

test('an INVALID row of UDP hides no slow TCP', () => {
  const { verdict, reason } = linkVerdict([{ ...tcp, verdict: 'FAIL' }, udp(1472, 957, 'INVALID')]);
  expect(verdict).toBe('FAIL');
  expect(reason).toMatch(/TCP: why TCP; 1 other row was INVALID$/);
});

test('no row is no result', () => {
  expect(linkVerdict([]).verdict).toBe('INVALID');
});
