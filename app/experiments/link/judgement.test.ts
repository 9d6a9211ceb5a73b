import { expect, test } from 'vitest';
import { standstillGuard } from '../../engine/load/standstills';
import { atMost } from '../../facts/contradiction';
import type { Fact } from '../../facts/fact';
import { violatedBy } from '../../facts/precedence';
import { reasonOf, wordsOf } from '../../facts/reason-words';
import { defaultThresholds } from '../../protocol/thresholds';
import { type Judgement, judgeLink, judgeTcp, judgeUdp, type LinkEvidence } from './judgement';
import { overLoopback } from './reasons';

const limits = { passPercent: 90, warnPercent: 70, maxLossPercent: 0.1, saturatedPercent: 90 };
const lost = { datagramsSent: 40_000, datagramsLost: 400, datagramsOverflowed: 0 };
const gigabit = { mbps: 1000, source: 'as given' };
const figures = {
  throughputMbps: 937.9,
  sentMbps: 938,
  machineCpuPercent: 30,
  localCpuPercent: 28.8,
  remoteCpuPercent: 11,
  ...{ streams: 1, version: 'iperf 3.12', cores: 16 },
};
const threads = { throughputMbps: 500, streams: 4, version: 'iperf 3.17.1', localCpuPercent: 180 };

test('a thread that has a core to itself may be the limit; above 110 % it is not one thread', () => {
  const verdictAt = (remoteCpuPercent: number) =>
    judgeTcp({ ...figures, ...threads, remoteCpuPercent }, gigabit, limits).verdict;
  expect([90, 91, 110, 111].map(verdictAt)).toEqual(['FAIL', 'INVALID', 'INVALID', 'FAIL']);
});

test('the words of each share of the line rate', () => {
  const verdictAndWords = (throughputMbps: number) => {
    const { verdict, fact } = judgeTcp({ ...figures, throughputMbps }, gigabit, limits);
    return [verdict, wordsOf([fact])];
  };
  const share = (mbps: number) => `${mbps}.0 Mb/s, ${mbps / 10}.0 % of the link’s 1000 Mb/s`;
  expect([900, 890, 700, 690].map(verdictAndWords)).toEqual([
    ['PASS', share(900)],
    ['WARN', `${share(890)} (90 % required)`],
    ['WARN', `${share(700)} (90 % required)`],
    ['FAIL', `${share(690)} (90 % required)`],
  ]);
});

test.each([
  ['the study’s gigabit', {}, 'PASS', /937\.9 Mb\/s, 93\.8 % of the link’s 1000 Mb\/s/],
  ['fast though busy', { localCpuPercent: 99 }, 'PASS', /93\.8 %/],
  ['a little slow', { throughputMbps: 899 }, 'WARN', /90 % required/],
  ['slow', { throughputMbps: 16 }, 'FAIL', /1\.6 %/],
  ['slow with a full core here', { throughputMbps: 500, localCpuPercent: 95 }, 'INVALID', /iperf3 here/],
  ['slow with a full core there', { throughputMbps: 500, remoteCpuPercent: 95 }, 'INVALID', /other host/],
  ['slow on a full machine', { throughputMbps: 500, machineCpuPercent: 95 }, 'INVALID', /95 % busy/],
  [
    'slow, load unknown',
    { throughputMbps: 500, machineCpuPercent: null },
    'INVALID',
    /load was not measured/,
  ],
  [
    'slow, CPU here unknown',
    { throughputMbps: 500, localCpuPercent: null },
    'INVALID',
    /here does not report its CPU/,
  ],
  [
    'slow, CPU there unknown',
    { throughputMbps: 500, remoteCpuPercent: null },
    'INVALID',
    /its CPU on the other host/,
  ],
  ['fast, CPU unknown', { localCpuPercent: null, remoteCpuPercent: null }, 'PASS', /93\.8 %/],
  ['nothing known of what arrived', { throughputMbps: null }, 'INVALID', /does not report how much arrived/],
  ['slow with 180 % of 16 cores in 4 threads', threads, 'FAIL', /90 % required/],
  [
    'the same before iperf3 had threads',
    { ...threads, version: 'iperf 3.15' },
    'INVALID',
    /180 % of a core:/,
  ],
  ['the same of an unknown version', { ...threads, version: null }, 'INVALID', /180 % of a core:/],
  ['slow with 4 threads on 2 cores', { ...threads, cores: 2 }, 'INVALID', /90 % for each of its 2 threads/],
  [
    'slow with 4 full threads',
    { ...threads, localCpuPercent: 370 },
    'INVALID',
    /iperf3 here took 370 % of a core, 93 % for each of its 4 threads/,
  ],
  ['slow with 4 threads at the other end', { ...threads, remoteCpuPercent: 180 }, 'FAIL', /90 % required/],
  [
    'slow with one core full at the other end, whose version is not known',
    { ...threads, remoteCpuPercent: 99 },
    'INVALID',
    /99 % of a core, which is all that iperf3 before version 3\.16 can use/,
  ],
] as const)('TCP: %s', (_, change, verdict, reason) => {
  const judged = judgeTcp({ ...figures, ...change }, gigabit, limits);
  expect(judged.verdict).toBe(verdict);
  expect(wordsOf([judged.fact])).toMatch(reason);
});

test('TCP over a link of unknown speed is no pass', () => {
  const judged = judgeTcp(figures, { mbps: null, source: 'its driver reports no speed' }, limits);
  expect(judged.verdict).toBe('WARN');
  expect(wordsOf([judged.fact])).toContain('not known (its driver reports no speed)');
});

test.each([
  ['clean', {}, 0, 'PASS', /no datagram lost at 938\.0 Mb\/s/],
  ['one in a million', {}, 0.0001, 'WARN', /less than 0\.001 %/],
  ['a little loss', {}, 0.1, 'WARN', /0\.100 % .* \(PASS only without loss, FAIL above 0\.1 %\)/],
  ['loss', {}, 1.03, 'FAIL', /1\.030 %/],
  ['loss and a full receiver', { remoteCpuPercent: 97 }, 1, 'INVALID', /may have been lost there/],
  ['loss and a full sender', { localCpuPercent: 97 }, 1, 'FAIL', /1\.000 %/],
  [
    'loss, CPU of the receiver unknown',
    { remoteCpuPercent: null },
    1,
    'INVALID',
    /its CPU on the other host/,
  ],
  ['a loss that is not known', {}, null, 'INVALID', /does not report what was lost/],
  ['an unknown rate', { sentMbps: null }, 0, 'WARN', /no datagram lost; .* how much was sent/],
  [
    'loss at an unknown rate',
    { sentMbps: null },
    1,
    'FAIL',
    /1\.000 % of the datagrams lost at an unknown rate/,
  ],
  [
    'a sender that is too slow',
    { sentMbps: 300, localCpuPercent: 99 },
    0,
    'WARN',
    /300\.0 .* of 957\.1 .*99 %/,
  ],
] as const)('UDP: %s', (_, change, lossPercent, verdict, reason) => {
  const loss = { ...lost, lossPercent, targetMbps: 957.09, receiver: 'there' } as const;
  const judged = judgeUdp({ ...figures, ...change }, loss, limits);
  expect(judged.verdict).toBe(verdict);
  expect(wordsOf([judged.fact])).toMatch(reason);
});

test('UDP of which no datagram was sent is no result', () => {
  const none = { datagramsSent: 0, datagramsLost: 0, datagramsOverflowed: 0, lossPercent: 0, targetMbps: 0 };
  expect(judgeUdp({ ...figures, sentMbps: 0 }, { ...none, receiver: 'there' }, limits)).toEqual({
    verdict: 'INVALID',
    fact: reasonOf('no-datagram-sent'),
  });
});

test('what is received here may be lost here', () => {
  const loss = { ...lost, lossPercent: 1, targetMbps: 957, receiver: 'here' } as const;
  expect(judgeUdp({ ...figures, machineCpuPercent: 96 }, loss, limits).verdict).toBe('INVALID');
  expect(judgeUdp({ ...figures, remoteCpuPercent: 96 }, loss, limits).verdict).toBe('FAIL');
  const overflowed = judgeUdp(figures, { ...loss, datagramsOverflowed: 60 }, limits);
  expect(overflowed.verdict).toBe('INVALID');
  expect(wordsOf([overflowed.fact])).toBe(
    '60 of 400 lost datagrams arrived but overflowed this machine’s buffers: 1.000 % of the datagrams lost at 938.0 Mb/s',
  );
  const more = judgeUdp(figures, { ...loss, datagramsOverflowed: 436 }, limits);
  expect(wordsOf([more.fact])).toMatch(
    /^436 datagrams of all programs overflowed this machine’s buffers, while 400 were lost: 1\.000 % /,
  );
  expect(judgeUdp(figures, { ...loss, datagramsOverflowed: 3 }, limits).verdict).toBe('FAIL');
  const unknown = judgeUdp(figures, { ...loss, datagramsOverflowed: null }, limits);
  expect(unknown.verdict).toBe('INVALID');
  expect(wordsOf([unknown.fact])).toMatch(
    /^how many datagrams overflowed this machine’s buffers is not reported: 1\.000 % /,
  );
});

const stolen = violatedBy([reasonOf('suspended', { seconds: 9 })]);
const iperfStopped = standstillGuard(
  { who: { tool: 'iperf3' }, stoppedSeconds: 1.6, seconds: 1.6 },
  defaultThresholds,
);
const impossible = atMost('line rate', [2000, 'Mb/s received'], [1000, 'Mb/s line rate']);
const said = (text: string): Fact => ({ code: 'text', data: { text } });
const slow: Judgement = { verdict: 'FAIL', fact: said('slow') };
const fast: Judgement = { verdict: 'PASS', fact: said('fast') };
const unknown: Judgement = { verdict: 'WARN', fact: said('not known'), isRemark: true };
const full: Judgement = { verdict: 'INVALID', fact: said('full') };

test.each<[string, Judgement, Partial<LinkEvidence>, string, string]>([
  ['slow', slow, {}, 'FAIL', 'slow'],
  [
    'slow on a machine that slept',
    slow,
    { guards: [stolen] },
    'INVALID',
    'slow, not judged: the machine was suspended for 9.0 s',
  ],
  ['fast all the same', fast, { guards: [stolen] }, 'PASS', 'fast; the machine was suspended for 9.0 s'],
  ['full', full, {}, 'INVALID', 'full'],
  [
    'without anything wanted, on a machine that slept',
    unknown,
    { guards: [stolen], restsOnGuards: true },
    'INVALID',
    'not known, not judged: the machine was suspended for 9.0 s',
  ],
  [
    'too fast to be true',
    fast,
    { contradictions: impossible },
    'INVALID',
    'the figures contradict each other (line rate): 2000 Mb/s received, 1000 Mb/s line rate',
  ],
  ['fast over loopback', fast, { isLoopback: true }, 'WARN', 'fast; over loopback'],
  ['slow over loopback', slow, { isLoopback: true }, 'INVALID', `slow, not judged: ${overLoopback}`],
  [
    'slow over loopback, with an iperf3 that was stopped',
    slow,
    { isLoopback: true, guards: [iperfStopped], short: [reasonOf('repeats-short', { done: 1, wanted: 2 })] },
    'INVALID',
    `slow, not judged: ${overLoopback}; iperf3 was stopped for 1.6 s (limit 1 s); 1 of 2 repeats were measured`,
  ],
  [
    'with too few repeats',
    fast,
    { short: [reasonOf('repeats-short', { done: 1, wanted: 2 })] },
    'PASS',
    '1 of 2 repeats were measured; fast',
  ],
])('a row: %s', (_, judgement, evidence, verdict, words) => {
  const row = judgeLink(judgement, { guards: [], isLoopback: false, ...evidence });
  expect(row.verdict).toBe(verdict);
  expect(wordsOf(row.reason).startsWith(words), wordsOf(row.reason)).toBe(true);
});
