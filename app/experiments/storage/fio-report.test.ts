import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parseFioReport } from './fio-report';

/** Recorded from fio 3.33. */
const recorded = (name: string): string => readFileSync(join(__dirname, 'data', `${name}.txt`), 'utf8');

test('rate in megabytes of 10⁶ bytes, requests a second, 99th percentile', () => {
  const read = parseFioReport(recorded('seq1m-read'), 'read');
  expect(read).toMatchObject({ version: 'fio-3.33', megabytesPerSecond: 995.470363 });
  expect(read.requestsPerSecond).toBeCloseTo(949.35, 2);
  expect(read.latencyP99Ms).toBeGreaterThan(8);
  const write = parseFioReport(recorded('rnd4k-write'), 'write');
  expect(write.megabytesPerSecond).toBeCloseTo(902.19, 2);
  expect(write.requestsPerSecond).toBeCloseTo(220260.7, 1);
});

test('a full disk is reported as one', () => {
  expect(() => parseFioReport(recorded('full-disk'), 'write')).toThrow(
    expect.objectContaining({
      code: 'DISK_FULL',
      message: expect.stringContaining('No space left on device'),
    }),
  );
});

test('another error is reported in fio’s words', () => {
  const failed = recorded('full-disk').replace('"error" : 28', '"error" : 5');
  expect(() => parseFioReport(failed, 'write')).toThrow(/fio failed: fio: pid=4417/);
});

test('nonsense is refused with what was said, and so is a pass that moved nothing', () => {
  const read = recorded('seq1m-read');
  expect(() => parseFioReport('fio: engine libaio not loadable\n', 'read')).toThrow(
    /no whole report.*engine libaio not loadable/,
  );
  expect(() => parseFioReport('', 'read', { exitCode: 1, stderr: 'fio: out of memory\n' })).toThrow(
    /no whole report, exit status 1\): fio: out of memory/,
  );
  expect(() => parseFioReport(read.slice(0, 2000), 'read')).toThrow(/no whole report/);
  expect(() => parseFioReport('{\n}', 'read')).toThrow(/jobs is not/);
  expect(() => parseFioReport(read, 'write')).toThrow(/fio failed: it moved nothing/);
  expect(() => parseFioReport(read.replace('"read" :', '"was read" :'), 'read')).toThrow(
    /it reports no read/,
  );
  const refused = `fio: file creation disallowed by allow_file_create=0\n${recorded('nothing-read')}`;
  expect(() => parseFioReport(refused, 'read')).toThrow(/fio failed: fio: file creation disallowed/);
});

/** One pass of 2 s that moved 400 MiB in pieces of 1 MiB. */
const kib = 400 * 1024;
const common = { iops: 200, runtime: 2000 };
const us = { '50.000000': 4000, '99.000000': 8000, '99.900000': 9000 };
const ns = { '50.000000': 4e6, '99.000000': 8e6, '99.900000': 9e6 };
const shape = (version: string | null, read: object, more: object = {}): string =>
  JSON.stringify(
    {
      ...(version && { 'fio version': version }),
      jobs: [{ jobname: 'x', error: 0, ...more, read, write: {} }],
    },
    null,
    2,
  );
const old = { io_bytes: kib, bw: kib / 2, ...common, clat: { min: 1, percentile: us } };
const middle = { io_bytes: kib * 1024, io_kbytes: kib, bw: kib / 2, ...common };
const now = { ...middle, bw_bytes: kib * 512, clat_ns: { N: 400, percentile: ns } };
const whole = {
  ...{ megabytes: 419.4304, megabytesPerSecond: 209.7152, requestsPerSecond: 200, seconds: 2 },
  ...{ latencyP50Ms: 4, latencyP99Ms: 8, latencyP999Ms: 9 },
};
const unknownTimes = { latencyP50Ms: null, latencyP99Ms: null, latencyP999Ms: null };

test.each<[string, string, object]>([
  ['2.1.11: KiB and µs', shape('fio-2.1.11', old), {}],
  ['2.21: the same', shape('fio-2.21', old), {}],
  ['2.99: bytes and ns, no bw_bytes', shape('fio-2.99', { ...middle, clat_ns: { percentile: ns } }), {}],
  [
    '3.1: the same, after a note',
    `fio: a note\n${shape('fio-3.1', { ...middle, clat_ns: { percentile: ns } })}`,
    {},
  ],
  ['3.16: with bw_bytes', shape('fio-3.16', now), {}],
  [
    '3.36: percentiles with two decimals',
    shape('fio-3.36', { ...now, clat_ns: { percentile: { '50.00': 4e6, '99.00': 8e6, '99.90': 9e6 } } }),
    {},
  ],
  ['a build without a version, old', shape(null, old), {}],
  ['a build without a version, new', shape(null, now), {}],
  ['3.28 without percentiles', shape('fio-3.28', { ...now, clat_ns: { N: 0, min: 0 } }), unknownTimes],
  [
    '3.28 with the times of whole requests alone',
    shape('fio-3.28', { ...now, clat_ns: undefined, lat_ns: { percentile: ns } }),
    unknownTimes,
  ],
  [
    '3.28 without requests a second',
    shape('fio-3.28', { ...now, iops: undefined }),
    { requestsPerSecond: null },
  ],
  [
    '3.25 whose requests a second are no number',
    shape('fio-3.25', now).replace('"iops": 200', '"iops": -nan'),
    { requestsPerSecond: null },
  ],
  [
    '3.28 without a rate, which bytes and time give',
    shape('fio-3.28', { ...now, bw: undefined, bw_bytes: undefined }),
    {},
  ],
  ['3.28 without bytes', shape('fio-3.28', { ...now, io_bytes: undefined }), { megabytes: null }],
  ['3.28 without a time', shape('fio-3.28', { ...now, runtime: undefined }), { seconds: null }],
  ['3.33 on one line', JSON.stringify(JSON.parse(shape('fio-3.33', now))), {}],
  ['3.33 with lines as on Windows', shape('fio-3.33', now).replaceAll('\n', '\r\n'), {}],
  [
    '3.33 and words after it',
    `${shape('fio-3.33', now)}\nfio: this platform does not support process shared mutexes\n`,
    {},
  ],
])('a report of fio %s', (_, text, differing) => {
  expect(parseFioReport(text, 'read')).toMatchObject({ ...whole, ...differing });
});

test('numbers that no pass has are none', () => {
  const text = recorded('seq1m-read');
  const report = JSON.parse(text.slice(text.indexOf('{')));
  report.jobs[0].read = { ...report.jobs[0].read, bw_bytes: 1e308, bw: 1e308, runtime: 5e-324 };
  expect(() => parseFioReport(JSON.stringify(report), 'read')).toThrow(/it moved nothing/);
});

test('what fio says beside its report is kept, and an exit status that is not 0 is a failure', () => {
  expect(parseFioReport(shape('fio-3.33', now), 'read')).not.toHaveProperty('said');
  const noted = parseFioReport(shape('fio-3.33', now), 'read', { stderr: 'fio: io_u error on file\n' });
  expect(noted.said).toBe('fio: io_u error on file');
  expect(() => parseFioReport(shape('fio-3.33', now), 'read', { exitCode: 1 })).toThrow(
    /ended with status 1/,
  );
});

test('options may stand under two names', () => {
  const options = { 'job options': { rw: 'read' } };
  expect(parseFioReport(shape('fio-2.21', old, options), 'read').options).toEqual({ rw: 'read' });
  const raw = { ...JSON.parse(shape('fio-3.33', now, options)), 'global options': { direct: '1' } };
  expect(parseFioReport(JSON.stringify(raw), 'read').options).toEqual({ rw: 'read', direct: '1' });
});
