import { expect, test } from 'vitest';
import { wordsOf } from '../../facts/reason-words';
import { type HeldRate, heldSteps, judgeHeldTcp, judgeHeldUdp, lateIntervals, roomFor } from './held-rate';
import { parseIperfReport } from './iperf-report';
import type { UdpLoss } from './judgement';

test.each([
  [957, 127, [1, 2, 4, 7]],
  [9570, 127, [1, 2, 4, 8, 16, 32, 64, 75]],
  [95.7, 127, [1]],
  [508, 127, [1, 2, 4]],
  [40_000, 127, [1, 2, 4, 8, 16, 32, 64, 128]],
])('%d Mb/s have room for streams of %d Mb/s: %j are tried', (capacityMbps, streamMbps, steps) => {
  expect(heldSteps(roomFor(capacityMbps, streamMbps))).toEqual(steps);
});

test('an interval is late that moved less than 95 % of what was asked for', () => {
  const late = (...intervals: object[]): number | null => {
    const report = { start: {}, intervals: intervals.map((sum) => ({ sum })), end: { sum_sent: {} } };
    return lateIntervals(parseIperfReport(JSON.stringify(report)), 80);
  };
  const second = (mbps: number, seconds = 1) => ({ bytes: (mbps * seconds * 1e6) / 8, seconds });
  expect(late(second(80), second(76), second(84))).toBe(0);
  expect(late(second(80), second(75.9), second(0))).toBe(2);
  // The end of a test is a moment, and what is left out at its start does not count.
  expect(late(second(80), second(10, 0.01), { ...second(0), omitted: true })).toBe(0);
  expect(late(second(80), { bytes: 1e7 })).toBeNull();
  expect(late()).toBeNull();
});

const limits = { passPercent: 90, warnPercent: 70, maxLossPercent: 0.1, saturatedPercent: 90 };
const figures = {
  ...{
    throughputMbps: 508,
    sentMbps: 508,
    machineCpuPercent: 30,
    localCpuPercent: 28.8,
    remoteCpuPercent: 11,
  },
  ...{ streams: 4, version: 'iperf 3.12', cores: 16 },
};
const held: HeldRate = { streams: 4, targetMbps: 508, leastMbps: 508, lateIntervals: 0, fullMbps: 957 };
const loss: UdpLoss = {
  ...{ lossPercent: 0, datagramsSent: 1000, datagramsLost: 0, datagramsOverflowed: 0 },
  ...{ targetMbps: 508, receiver: 'there' },
};

test.each([
  ['all of it', {}, {}, {}, 'PASS', /^carried 4 streams’ worth \(508\.0 Mb\/s\) without loss$/],
  ['a tick less', {}, {}, { leastMbps: 499 }, 'PASS', /without loss/],
  ['a little loss', {}, { lossPercent: 0.05 }, {}, 'WARN', /0\.050 %/],
  ['loss', {}, { lossPercent: 1 }, {}, 'FAIL', /1\.000 % of the datagrams lost at 508\.0/],
  ['a loss that is not known', {}, { lossPercent: null }, {}, 'INVALID', /does not report what was lost/],
  ['an unknown rate', {}, {}, { leastMbps: null }, 'INVALID', /does not report how much was sent/],
  [
    'late seconds',
    {},
    {},
    { lateIntervals: 1.5 },
    'WARN',
    /but 1\.5 intervals of a repeat moved less than 95 % of it/,
  ],
  ['seconds that are not known', {}, {}, { lateIntervals: null }, 'PASS', /without loss/],
  [
    'a sender that is too slow',
    {},
    {},
    { leastMbps: 400 },
    'INVALID',
    /^the sender could not keep its rate: only 400\.0 Mb\/s of 4 streams’ worth \(508\.0 Mb\/s\) were sent, so the link was not tested at this rate/,
  ],
  [
    'a sender that is full',
    { localCpuPercent: 99 },
    {},
    { leastMbps: 400 },
    'INVALID',
    /^iperf3 here took 99 % .*400\.0/,
  ],
  [
    'a sender that is too slow, and loss',
    { sentMbps: 400 },
    { lossPercent: 1 },
    { leastMbps: 400 },
    'FAIL',
    /1\.000 % .* at 400\.0/,
  ],
  [
    'more than the link holds',
    {},
    {},
    { streams: 8, targetMbps: 1016, leastMbps: 900 },
    'FAIL',
    /^900\.0 Mb\/s of 8 streams’ worth \(1016\.0 Mb\/s\) were sent: a full link holds 957\.0 Mb\/s of payload$/,
  ],
  [
    'a link of unknown speed',
    {},
    {},
    { leastMbps: 400, fullMbps: null },
    'INVALID',
    /was not tested at this rate/,
  ],
  [
    'a sender that is too slow, and a little loss',
    {},
    { lossPercent: 0.05 },
    { leastMbps: 400 },
    'INVALID',
    /was not tested at this rate/,
  ],
] as const)('UDP: %s', (_, change, lost, of, verdict, words) => {
  const judged = judgeHeldUdp({ ...figures, ...change }, { ...loss, ...lost }, { ...held, ...of }, limits);
  expect(wordsOf([judged.fact])).toMatch(words);
  expect(judged.verdict).toBe(verdict);
});

test.each([
  ['all of it', {}, 0, {}, 'PASS', /^carried 4 streams’ worth \(508\.0 Mb\/s\) without loss$/],
  ['segments sent again', {}, 2.5, {}, 'WARN', /; retransmitted segments per repeat: 2\.5$/],
  ['nothing known of segments', {}, null, {}, 'WARN', /does not report retransmissions/],
  ['late seconds', {}, 0, { lateIntervals: 1 }, 'WARN', /but 1 interval of a repeat moved/],
  ['less', {}, 0, { leastMbps: 400 }, 'FAIL', /^400\.0 Mb\/s of 4 streams’ worth/],
  [
    'less with a full core',
    { localCpuPercent: 99 },
    0,
    { leastMbps: 400 },
    'INVALID',
    /^iperf3 here took 99 %/,
  ],
  [
    'less, CPU unknown',
    { remoteCpuPercent: null },
    0,
    { leastMbps: 400 },
    'INVALID',
    /does not report its CPU/,
  ],
  ['nothing known', {}, 0, { leastMbps: null }, 'INVALID', /does not report how much arrived/],
] as const)('TCP: %s', (_, change, retransmits, of, verdict, words) => {
  const judged = judgeHeldTcp({ ...figures, ...change }, retransmits, { ...held, ...of }, limits);
  expect(wordsOf([judged.fact])).toMatch(words);
  expect(judged.verdict).toBe(verdict);
});
