import { expect, test } from 'vitest';
import { reasonOf } from '../../facts/reason-words';
import type { ClosedRow } from '../../facts/row';
import { spoiltFigureOf, spoiltKinds } from '../../facts/spoilt';
import type { Verdict } from '../../facts/verdict';
import { linkOf, noLink, type PairLink, withLink } from './pair-link';
import { notMeasured, unmeasuredRow } from './pair-row';

const pair = { from: 'render-1', to: 'display-1' };
const unmeasured = unmeasuredRow(pair, 0, '2026-11-29T08:00:00.000Z', notMeasured('it left'));

function streamed(verdict: Verdict): ClosedRow {
  return { ...unmeasured, verdict, reason: [reasonOf('no-frame-lost')], notMeasured: {} };
}

const link = { mbps: 18.25, whyNoMbps: '', rttMs: 0.5, whyNoRtt: '', atLeastMbps: 18.25 };

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

const contradiction = {
  code: 'contradiction',
  data: { what: 'line rate', one: '12 Mb/s', other: '10 Mb/s' },
};

test.each<[string, PairLink, number, number | undefined, string[]]>([
  ['measured', link, 12, undefined, ['pair-link-carried']],
  ['that may carry more', { ...link, mbps: null }, 12, undefined, ['pair-link-carried-at-least']],
  [
    'that may carry more, with a limit',
    { ...link, mbps: null },
    12,
    20,
    ['pair-link-carried-at-least', 'pair-link-unknown'],
  ],
  ['below its limit', link, 12, 20, ['pair-link-below']],
  ['not measured', noLink('iperf3 is missing'), 12, undefined, []],
  ['without a loss', link, 0, undefined, []],
])('beside a loss stands what the link carried: %s', (_, measured, framesDropped, leastMbps, codes) => {
  const failed = streamed('FAIL');
  const spoilt = Object.fromEntries(spoiltKinds.map((kind) => [spoiltFigureOf[kind], 0]));
  const figures = {
    ...failed.figures,
    ...spoilt,
    framesUndecodable: 0,
    framesUndecodableUnmatched: 0,
    framesDropped,
  };
  const { reason } = withLink({ ...failed, figures }, measured, leastMbps);
  expect(reason.map(({ code }) => code)).toEqual(['no-frame-lost', ...codes]);
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
    ...{ mbps: null, whyNoMbps: 'no frame lost', rttMs: 0.5, atLeastMbps: 18.25 },
  });
  const contradictory = { ...linkRow('TCP', 'INVALID', tcp), reason: [contradiction] };
  expect(linkOf([ping, contradictory])).toMatchObject({ mbps: null, atLeastMbps: null });
  expect(linkOf([])).toMatchObject({ mbps: null, whyNoMbps: 'the link was not measured', rttMs: null });
});
