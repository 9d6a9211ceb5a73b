import { expect, test } from 'vitest';
import { reasonOf } from '../../facts/reason-words';
import type { Verdict } from '../../facts/verdict';
import { exampleRow } from '../../testing/example-run';
import { bestLinkVerdict, leastLinkSeconds } from './best-verdict';
import { linkParameters } from './declaration';

const parameters = linkParameters.parse({ lineRateMbps: 1000, rates: ['line', 'ndi'], streamMbps: 100 });

function best(own: Record<string, number | string | null>): Verdict {
  const figures = Object.fromEntries(Object.entries(own).map(([id, value]) => [`link.${id}`, value]));
  return bestLinkVerdict(
    { ...exampleRow(), step: {}, figures: { measuredSeconds: 2, ...figures } },
    parameters,
  );
}

const tcp = { protocol: 'TCP', direction: 'send', streams: 1, throughputMbps: 940, lineRatePercent: 94 };
const udp = { protocol: 'UDP', direction: 'send', streams: 1, datagramBytes: 1472 };
const sent = { ...udp, targetMbps: 957, throughputMbps: 950, lineRatePercent: 95, lossPercent: 0 };
const held = { protocol: 'TCP', direction: 'send', ndiStreams: 2, targetMbps: 200, throughputMbps: 200 };

test.each<[string, Record<string, number | string | null>, Verdict]>([
  ['ping that was answered', { protocol: 'ping', rttMs: 0.2, lossPercent: 0 }, 'PASS'],
  ['ping without a time', { protocol: 'ping', rttMs: null, lossPercent: 100 }, 'WARN'],
  ['TCP that fills the link', tcp, 'PASS'],
  ['TCP that carries little', { ...tcp, throughputMbps: 300, lineRatePercent: 30 }, 'FAIL'],
  ['a share of another rate', { ...tcp, throughputMbps: 300 }, 'INVALID'],
  ['more than the link’s rate', { ...tcp, throughputMbps: 1100, lineRatePercent: 110 }, 'INVALID'],
  ['a share that is not known', { ...tcp, lineRatePercent: null }, 'WARN'],
  ['UDP without loss', sent, 'PASS'],
  ['UDP with a loss', { ...sent, lossPercent: 5 }, 'FAIL'],
  ['UDP of which hardly anything came', { ...sent, throughputMbps: 9.5, lineRatePercent: 0.95 }, 'WARN'],
  ['a size that was not asked for', { ...sent, datagramBytes: 1000 }, 'INVALID'],
  ['a number of streams that was not asked for', { ...tcp, streams: 4 }, 'INVALID'],
  ['another protocol', { ...tcp, protocol: 'SCTP' }, 'INVALID'],
  ['streams that came', { ...held, retransmits: 0, lateIntervals: 0 }, 'PASS'],
  ['streams of another rate', { ...held, targetMbps: 100, throughputMbps: 100, retransmits: 0 }, 'INVALID'],
  ['streams sent again', { ...held, retransmits: 3 }, 'WARN'],
  ['streams that did not come', { ...held, throughputMbps: 100, retransmits: 0 }, 'FAIL'],
])('%s: at best as its figures are', (_, own, verdict) => {
  expect(best(own)).toBe(verdict);
});

test('a row takes its repeats at least, but ping and one that failed take none', () => {
  const asked = linkParameters.parse({ repeats: 3, holdSeconds: 10 });
  const row = (protocol: string, verdict: Verdict) => ({
    ...{ ...exampleRow(), step: {}, verdict, figures: { measuredSeconds: 0, 'link.protocol': protocol } },
  });
  expect(leastLinkSeconds(row('TCP', 'PASS'), asked)).toBe(27);
  expect(leastLinkSeconds(row('UDP', 'FAIL'), asked)).toBe(27);
  const short = (done: number) => ({
    ...row('TCP', 'PASS'),
    reason: [reasonOf('repeats-short', { done, wanted: 3 })],
  });
  expect([2, 0].map((done) => leastLinkSeconds(short(done), asked))).toEqual([18, 9]);
  expect(leastLinkSeconds(row('TCP', 'INVALID'), asked)).toBe(0);
  expect(leastLinkSeconds(row('ping', 'PASS'), asked)).toBe(0);
});
