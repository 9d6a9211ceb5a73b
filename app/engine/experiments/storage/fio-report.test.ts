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
  expect(() => parseFioReport('fio: engine libaio not loadable\n', 'read')).toThrow(
    /no JSON.*engine libaio not loadable/,
  );
  expect(() => parseFioReport('', 'read')).toThrow(/no JSON/);
  expect(() => parseFioReport(recorded('seq1m-read').slice(0, 2000), 'read')).toThrow(/no JSON/);
  expect(() => parseFioReport('{\n}', 'read')).toThrow(/fio version is not/);
  expect(() => parseFioReport(recorded('seq1m-read'), 'write')).toThrow(/io_bytes is not/);
  expect(() =>
    parseFioReport(
      `fio: file creation disallowed by allow_file_create=0\n${recorded('nothing-read')}`,
      'read',
    ),
  ).toThrow(/fio failed: fio: file creation disallowed/);
});
