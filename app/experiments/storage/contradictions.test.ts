import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { wordsOf } from '../../facts/reason-words';
import { storageContradictions } from './contradictions';
import type { StorageOperation, StorageTest } from './declaration';
import { type FioReport, parseFioReport } from './fio-report';
import type { MeasuredFolder } from './folder';

/** Recorded from fio 3.33, of 1 s each. */
function recorded(name: string, operation: StorageOperation): FioReport {
  return parseFioReport(readFileSync(join(__dirname, 'data', `${name}.txt`), 'utf8'), operation);
}

const folder: MeasuredFolder = {
  ...{ name: '/mnt/share', path: '/mnt/share', mount: null, freeMib: 100_000 },
  ...{ lineRateMbps: 10_000, lineRateSource: 'as given' },
};
const read = recorded('seq1m-read', 'read');

function said(
  changes: Partial<FioReport>,
  of: { direct?: boolean; test?: StorageTest; args?: string[] } = {},
): string {
  const passes = [{ ...read, ...changes }];
  const { args = [] } = of;
  const test: StorageTest = of.test ?? 'SEQ1M-Q8T1';
  return wordsOf(storageContradictions({ passes, test, folder, args, direct: of.direct ?? true }, 1));
}

test('what fio really reported has none', () => {
  expect(said({})).toBe('');
  expect(said(recorded('rnd4k-write', 'write'), { test: 'RND4K-Q32T16' })).toBe('');
});

test('what was not reported contradicts nothing', () => {
  expect(said({ seconds: null, latencyP50Ms: null, latencyP999Ms: null })).toBe('');
});

test.each<[Partial<FioReport>, string]>([
  [{ megabytes: 500 }, '(data): 500 MB moved, 1002.439 MB by rate and time'],
  [{ requestsPerSecond: 100 }, '(requests): 104.858 MB/s by requests and their size, 995.47 MB/s reported'],
  [{ seconds: 0.5 }, '(time): 1 s asked for, 0.5 s measured'],
  [{ latencyP99Ms: 1 }, '(latency): 7.504 ms p50, 1 ms p99'],
])('%j', (changes, words) => {
  expect(said(changes)).toContain(words);
});

test('no share is faster than its link, unless memory may have answered', () => {
  const fast = { megabytesPerSecond: 2000, megabytes: 2014, requestsPerSecond: 2e9 / 1024 ** 2 };
  expect(said(fast)).toBe(
    'the figures contradict each other (line rate): 16000 Mb/s moved, 10000 Mb/s line rate (as given)',
  );
  expect(said(fast, { direct: false })).toBe('');
});

test.each([
  ['--rw=write', '(rw): read reported, write asked for'],
  ['--bs=4k', '(bs): 1024k reported, 4k asked for'],
  ['--iodepth=32', '(iodepth): 8 reported, 32 asked for'],
  ['--numjobs=16', '(numjobs): 1 reported, 16 asked for'],
  ['--size=1024m', '(size): 64m reported, 1024m asked for'],
  ['--direct=0', '(direct): 1 reported, 0 asked for'],
  ['--rw=read', ''],
  ['--refill_buffers', ''],
  ['--output-format=json', ''],
])('what fio repeats is what was asked for: %s', (argument, words) => {
  const text = said({}, { args: [argument] });
  expect(text).toBe(words && `fio did not measure what was asked for ${words}`);
});
