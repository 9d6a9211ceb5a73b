import { expect, test } from 'vitest';
import { standstillGuard } from '../../engine/load/standstills';
import type { Mount } from '../../engine/machine/mounts';
import { runTool } from '../../engine/tools/run-tool';
import { violatedBy } from '../../facts/precedence';
import { reasonOf, wordsOf } from '../../facts/reason-words';
import { defaultThresholds } from '../../protocol/thresholds';
import { blockBytesOf } from './fio';
import { lineRateOf, type MeasuredFolder } from './folder';
import { type Demand, type MeasuredTest, storageRow } from './storage-rows';
import { storageVerdict } from './verdict';

const folder: MeasuredFolder = {
  name: '/mnt/share',
  path: '/mnt/share',
  mount: null,
  freeMib: 100_000,
  lineRateMbps: 100_000,
  lineRateSource: 'as given',
};
const frame = { index: 0, from: '', to: '', measuredSeconds: 3, guards: [], cpuPercent: 12 };
const need = { format: '3840x2160@60', megabytesPerSecond: 500, assumption: '1 byte per pixel' };
const demand: Demand = { need, streams: 2, decidingTest: 'SEQ1M-Q1T1' };

function measured(rates: number[], change: Partial<MeasuredTest> = {}): MeasuredTest {
  const requestBytes = blockBytesOf(change.test ?? 'SEQ1M-Q1T1');
  const passes = rates.map((megabytesPerSecond) => ({
    ...{
      version: 'fio-3.33',
      options: {},
      megabytesPerSecond,
      megabytes: 3 * megabytesPerSecond,
      seconds: 3,
    },
    requestsPerSecond: (1e6 * megabytesPerSecond) / requestBytes,
    ...{ latencyP50Ms: 1, latencyP99Ms: 2, latencyP999Ms: 3 },
  }));
  return {
    ...{ folder, operation: 'read', test: 'SEQ1M-Q1T1', passes, wantedPasses: rates.length, direct: true },
    ...{ args: [], changes: [], first: null, ...change },
  };
}

test('best and median; of a share, its part of the link', () => {
  const first = storageRow(frame, measured([3000, 3633]), demand);
  const { figures } = storageRow(frame, measured([1185.64, 900, 1100], { first }), demand);
  expect(figures['storage.bestMBps']).toBe(1185.64);
  expect(figures['storage.medianMBps']).toBe(1100);
  expect(figures['storage.spreadMBps']).toBeCloseTo(146.59, 2);
  expect(figures['storage.lineRatePercent']).toBeCloseTo(8.8, 9);
  expect(figures['storage.differencePercent']).toBeCloseTo(-101.58, 2);
  expect(figures['storage.hapQStreams']).toBe(2);
});

test.each([
  [1200, 'PASS', /enough for 2 Hap Q streams of 3840x2160@60 at 500 MB\/s each \(1 byte per pixel\)$/],
  [1600, 'PASS', /enough for 3 Hap Q streams .*, for 2 with 20 % to spare$/],
  [1100, 'WARN', /enough for 2 Hap Q streams .*, with less than 20 % to spare/],
  [999, 'FAIL', /not enough for 2 Hap Q streams .*, only for 1$/],
  [300, 'FAIL', /not enough for 2 Hap Q streams of [^,]*$/],
])('%d MB/s for two movies of 500 MB/s: %s', (rate, verdict, reason) => {
  const row = storageRow(frame, measured([rate]), demand);
  expect(row.verdict).toBe(verdict);
  expect(wordsOf(row.reason)).toMatch(reason);
});

test('the median decides, not the best', () => {
  expect(storageRow(frame, measured([2000, 400, 300]), demand).verdict).toBe('FAIL');
});

test('what was read through the page cache never passes, and says so', () => {
  const row = storageRow(frame, measured([9000], { direct: false }), demand);
  expect(row.verdict).toBe('WARN');
  expect(wordsOf(row.reason)).toMatch(
    /enough for 18 .*; may be the speed of memory: this file system is in memory or refuses O_DIRECT/,
  );
});

test('a rate that is too low while the instrument did not keep up is INVALID, and the run with it', () => {
  const guards = [violatedBy([reasonOf('no-load-sample', { seconds: 3 })])];
  const broken = storageRow({ ...frame, guards }, measured([300]), demand);
  expect(broken).toMatchObject({ verdict: 'INVALID' });
  // Nothing is wanted of this rate, so that the rate itself is what was disturbed.
  expect(storageRow({ ...frame, guards }, measured([5000]), { ...demand, decidingTest: null }).verdict).toBe(
    'INVALID',
  );
  const enough = storageRow({ ...frame, guards }, measured([5000]), demand);
  expect(enough).toMatchObject({ verdict: 'PASS' });
  expect(wordsOf(enough.reason)).toMatch(/enough for .*; no load sample for 3.0 s$/);
  const fine = storageRow(frame, measured([5000]), demand);
  expect(storageVerdict([fine]).verdict).toBe('PASS');
  expect(storageVerdict([fine, broken]).verdict).toBe('INVALID');
});

test('what a row measured comes before why it does not count, and rows that do not count before the others', () => {
  const guards = [
    standstillGuard({ who: { tool: 'fio' }, stoppedSeconds: 1.5, seconds: 1.5 }, defaultThresholds),
  ];
  const spoilt = storageRow({ ...frame, guards }, measured([300], { wantedPasses: 2 }), demand);
  const reason =
    `${wordsOf(storageRow(frame, measured([300]), demand).reason)}, not judged: ` +
    'fio was stopped for 1.5 s (limit 1 s); 1 of 2 repeats were measured';
  expect(spoilt.verdict).toBe('INVALID');
  expect(wordsOf(spoilt.reason)).toBe(reason);
  expect(storageVerdict([storageRow(frame, measured([5000]), demand), spoilt]).reason).toMatch(
    /^[^:]+: reads 300 MB\/s: not enough .*, not judged: fio was stopped for 1\.5 s .*enough for/,
  );
});

test('a file that another program changed: INVALID whatever the rate is, and nothing is held against it', () => {
  const changes = [
    reasonOf('test-file-changed', { path: '/mnt/share/file', what: 'size', found: 0, expected: 32 }),
  ];
  const first = storageRow(frame, measured([18_000], { changes, wantedPasses: 2 }), demand);
  expect(first.verdict).toBe('INVALID');
  expect(wordsOf(first.reason)).toBe(
    'another program changed the test file /mnt/share/file: it has 0 bytes instead of 32. So the disk was not what was measured: ' +
      'keep other programs from writing to this file, and measure again; the figures contradict each other (line rate): ' +
      '144000 Mb/s moved, 100000 Mb/s line rate (as given); 1 of 2 repeats were measured',
  );
  const second = storageRow(frame, measured([1185], { first }), demand);
  expect(second.figures['storage.differencePercent']).toBeNull();
  expect(second.notMeasured['storage.differencePercent']).toBe('the row of the first folder is INVALID');
});

test('without a sequential read nothing is reported of movies, which is no pass', () => {
  const row = storageRow(frame, measured([5000], { test: 'RND4K-Q1T1' }), { ...demand, decidingTest: null });
  expect(row.verdict).toBe('PASS');
  expect(row.notMeasured['storage.hapQStreams']).toBe('reported for the sequential read that decides');
  expect(storageVerdict([row])).toMatchObject({
    verdict: 'WARN',
    reason: expect.stringContaining('no sequential read was measured'),
  });
});

test('the speed of the link to a share: given, of the interface, or the reason why not', async () => {
  const mount = (fileSystem: string, source: string): Mount => ({ mountPoint: '/mnt', fileSystem, source });
  expect(await lineRateOf(mount('nfs4', '127.0.0.1:/export'), 1000, runTool)).toEqual({
    lineRateMbps: 1000,
    lineRateSource: 'as given',
  });
  const reasonOf = async (of: Mount | null, given?: number): Promise<string> => {
    const { lineRateMbps, lineRateSource } = await lineRateOf(of, given, runTool);
    expect(lineRateMbps).toBeNull();
    return lineRateSource;
  };
  expect(await reasonOf(mount('nfs4', '127.0.0.1:/export'))).toBe('loopback has no speed');
  expect(await reasonOf(mount('ext4', '/dev/sda1'), 1000)).toBe('ext4 on this machine is behind no link');
  expect(await reasonOf(mount('cifs', 'odd'))).toBe('the server of odd is not known');
  expect(await reasonOf(mount('cifs', '//nobody.invalid/share'))).toBe('nobody.invalid cannot be found');
  expect(await reasonOf(null)).toBe('the system does not report what is mounted there');
});
