import { expect, test } from 'vitest';
import { reasonOf } from '../../facts/reason-words';
import type { ClosedRow } from '../../facts/row';
import type { Verdict } from '../../facts/verdict';
import { linkOf, noLink, withLink } from './pair-link';
import { notMeasured, unmeasuredRow } from './pair-row';

const pair = { from: 'render-1', to: 'display-1' };
const unmeasured = unmeasuredRow(pair, 0, '2026-11-29T08:00:00.000Z', notMeasured('it left'));

function streamed(verdict: Verdict): ClosedRow {
  return { ...unmeasured, verdict, reason: [reasonOf('no-frame-lost')], notMeasured: {} };
}

const link = { mbps: 18.25, whyNoMbps: '', rttMs: 0.5, whyNoRtt: '' };

test.each([
  ['no limit', link, undefined, 'PASS', 'no-frame-lost'],
  ['above it', link, 18, 'PASS', 'no-frame-lost'],
  ['below it', link, 20, 'FAIL', 'pair-link-below'],
  ['not measured, no limit', noLink('iperf3 is missing'), undefined, 'PASS', 'no-frame-lost'],
  ['not measured', noLink('iperf3 is missing'), 20, 'INVALID', 'pair-link-unknown'],
] as const)('the link of a pair, %s', (_, measured, leastMbps, verdict, code) => {
  const judged = withLink(streamed('PASS'), measured, leastMbps);
  expect([judged.verdict, judged.reason[0]?.code]).toEqual([verdict, code]);
  expect(judged.figures['matrix.linkMbps']).toBe(measured.mbps);
});

test('a link below its limit changes no proof that the stream failed', () => {
  const judged = withLink(streamed('FAIL'), noLink('iperf3 is missing'), 20);
  expect([judged.verdict, judged.reason.map(({ code }) => code)]).toEqual([
    'FAIL',
    ['no-frame-lost', 'pair-link-unknown'],
  ]);
});

function linkRow(protocol: string, verdict: Verdict, figures: ClosedRow['figures']): ClosedRow {
  return { ...streamed(verdict), step: { 'link.protocol': protocol }, figures };
}

test('the figures of a link are those of its rows, but for one that is INVALID', () => {
  const ping = linkRow('ping', 'PASS', { 'link.rttMs': 0.5 });
  const tcp = { 'link.throughputMbps': 18.25 };
  expect(linkOf([ping, linkRow('TCP', 'WARN', tcp)])).toMatchObject({ mbps: 18.25, rttMs: 0.5 });
  expect(linkOf([ping, linkRow('TCP', 'INVALID', tcp)])).toMatchObject({
    ...{ mbps: null, whyNoMbps: 'no frame lost', rttMs: 0.5 },
  });
  expect(linkOf([])).toMatchObject({ mbps: null, whyNoMbps: 'the link was not measured', rttMs: null });
});
