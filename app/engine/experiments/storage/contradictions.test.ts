import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { StorageOperation, StorageTest } from '../../../protocol/experiments/storage/declaration';
import { wordsOf } from '../../../protocol/reason-words';
import { storageContradictions } from './contradictions';
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

function said(changes: Partial<FioReport>, of: { direct?: boolean; test?: StorageTest } = {}): string {
  const passes = [{ ...read, ...changes }];
  const test: StorageTest = of.test ?? 'SEQ1M-Q8T1';
  return wordsOf(storageContradictions({ passes, test, folder, direct: of.direct ?? true }, 1));
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
