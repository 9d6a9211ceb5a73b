import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { wordsOf } from '../../facts/reason-words';
import { linkContradictions, onceEach, pingContradictions } from './contradictions';
import { type IperfReport, parseIperfReport } from './iperf-report';

const recorded = (name: string): string => readFileSync(join(__dirname, 'data', `${name}.txt`), 'utf8');
const unknownRate = { mbps: null, source: 'loopback has no speed' };

/** A recorded report with some figures of its receiver changed, and of its only stream of UDP. */
function changed(
  name: string,
  received: Record<string, number>,
  stream: Record<string, number> = {},
): IperfReport {
  const report = JSON.parse(recorded(name));
  Object.assign(report.end.sum_received, received);
  Object.assign(report.end.streams[0].udp ?? {}, stream);
  return parseIperfReport(JSON.stringify(report));
}

const said = (report: IperfReport, rate: Parameters<typeof linkContradictions>[1] = unknownRate): string =>
  wordsOf(linkContradictions(report, rate, 16));

test.each([
  'tcp-receive-2-streams',
  'tcp-send',
  'udp-lossy',
  'udp-lost-tail',
  'udp-receive',
  'udp-send',
  'udp-send-2-streams',
])('what iperf3 really reported has none: %s', (name) => {
  expect(said(parseIperfReport(recorded(name)))).toBe('');
});

test('half of the datagrams arrived and none is reported lost', () => {
  const report = changed('udp-lossy', { bytes: 28_117_600, bits_per_second: 74_974_718, lost_packets: 0 });
  expect(report.udp).toMatchObject({ lostByBytes: 20083, lostByNumbers: 0, datagramsLost: 20083 });
  expect(report.udp?.lossPercent).toBeCloseTo(50, 1);
  expect(said(report)).toContain(
    'the figures contradict each other (lost datagrams): 20083 by the bytes of both ends, 0 reported',
  );
  expect(said({ ...report, version: 'iperf 3.17.1' })).toContain(
    '0 reported, as iperf3 from 3.17 on does of a server up to 3.12',
  );
});

test('half of the datagrams arrived, and both counts say so', () => {
  const bytes = 20083 * 1400;
  const lost = { lost_packets: 20084, lost_percent: 50.0012 };
  const report = changed('udp-lossy', { bytes, bits_per_second: 74_974_718, ...lost }, lost);
  expect(report.udp?.lossPercent).toBeCloseTo(50, 1);
  expect(said(report)).toBe('');
});

test.each(['tcp-send', 'udp-send', 'tcp-receive-2-streams'])(
  'half of the intervals of %s carried nothing, and the sums say all',
  (name) => {
    const report = JSON.parse(recorded(name));
    for (const { sum } of report.intervals.slice(Math.ceil(report.intervals.length / 2))) sum.bytes = 0;
    expect(said(parseIperfReport(JSON.stringify(report)))).toMatch(
      /\(bytes of the intervals\): .+ MB in all/,
    );
  },
);

test('more is lost than was sent', () => {
  const text = said(changed('udp-send', { lost_packets: 99_999 }));
  expect(text).toContain('0 by the bytes of both ends, 99999 reported');
  expect(text).toContain('(datagrams lost): 99999 lost, 17851 sent');
});

test('more is received than was sent', () => {
  const twice = { bytes: 2 * 24_991_400, bits_per_second: 199_915_906 };
  expect(said(changed('udp-send', twice))).toContain('(datagrams): 35702 received, 17851 sent');
  const tcp = { bytes: 2 * 9_378_856_960, bits_per_second: 75_027_479_443 };
  expect(said(changed('tcp-send', tcp))).toContain('(data): 18757.714 MB received, 9379.512 MB sent');
});

test('no link carries more than its rate; a few per cent are the edges of the time', () => {
  const report = parseIperfReport(recorded('tcp-send'));
  expect(said(report, { mbps: 525, source: 'as given' })).toBe(
    'the figures contradict each other (line rate): 37513.74 Mb/s received, 525 Mb/s line rate (as given)',
  );
  expect(said(report, { mbps: 36_500, source: 'as given' })).toBe('');
});

test('the rate is that of the bytes, and a machine has no more than its cores', () => {
  expect(said(changed('tcp-send', { bits_per_second: 1e9 }))).toContain('(throughput)');
  const busy = { ...parseIperfReport(recorded('tcp-send')), localCpuPercent: 1800 };
  expect(said(busy)).toContain('1800 % of a core by iperf3 here, 1600 % in all cores');
});

test('each kind is said once, whichever repeats show it', () => {
  const report = changed('tcp-send', { bits_per_second: 1e9 });
  const found = linkContradictions(report, unknownRate, 16);
  expect(onceEach([...found, ...found])).toEqual(found);
});

test('no more echoes are answered than were sent, each answer has its time, and as many are sent as were asked for', () => {
  const said = (echoesSent: number, echoesAnswered: number, times = echoesAnswered): string =>
    wordsOf(
      pingContradictions({ echoesSent, echoesAnswered, rttsMs: Array(times).fill(0.1), meanRttMs: 0.1 }, 5),
    );
  expect(said(5, 5)).toBe('');
  expect(said(5, 3)).toBe('');
  expect(said(5, 7)).toContain('(echoes): 7 answered, 5 sent');
  expect(said(5, 3, 5)).toContain('(answers): 5 times, 3 answered');
  expect(said(1, 1)).toBe('ping did not measure what was asked for (echoes): 1 reported, 5 asked for');
});
