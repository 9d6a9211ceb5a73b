import { existsSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { logPieceBytes, mostLogs } from '../../protocol/fleet/capture-logs';
import { temporaryFolder } from '../../testing/temporary-folder';
import { LeaseLogs, type LeaseLogsOptions, type LogPlace } from './lease-logs';

const folder = temporaryFolder();
let folders = 0;

function logsOf(options: Partial<LeaseLogsOptions> = {}): { logs: LeaseLogs; running: Set<string> } {
  const running = new Set(['a', 'b']);
  const logs = new LeaseLogs({
    ...{ folder: join(folder, `lease-${++folders}`), mostBytes: 1000, streams: 4 },
    isRunning: (hostId) => running.has(hostId),
    ...options,
  });
  return { logs, running };
}

function opened(logs: LeaseLogs, hostId: string, streamId: number): LogPlace {
  const place = logs.open(hostId, streamId);
  if (!place) throw new Error('no log was opened');
  return place;
}

test('folder and files are for their user alone, and a stream has one for each host', () => {
  const { logs } = logsOf();
  const [first, other, second] = [opened(logs, 'a', 1), opened(logs, 'a', 2), opened(logs, 'b', 1)];
  expect([first, other, second].map(({ path }) => path.split('/').at(-1))).toEqual([
    ...['captured-1.log', 'captured-2.log', 'captured-1-2.log'],
  ]);
  expect(statSync(dirname(first.path)).mode & 0o777).toBe(0o700);
  expect(statSync(first.path).mode & 0o777).toBe(0o600);
  // A receiver that is opened again goes on.
  logs.close('a', 1);
  expect(opened(logs, 'a', 1)).toBe(first);
  expect(logs.list().map(({ logId, streamId }) => [logId, streamId])).toEqual([
    [1, 1],
    [2, 2],
    [3, 1],
  ]);
});

test('all of them together take no more than they may, and each has its share', () => {
  const { logs, running } = logsOf();
  const first = opened(logs, 'a', 1);
  expect(first.mostBytes).toBe(250);
  writeFileSync(first.path, 'x'.repeat(200));
  const shares = [2, 3, 4, 5].map((id) => opened(logs, 'a', id).mostBytes);
  expect(shares).toEqual([250, 250, 250, 0]);
  // One that is closed takes what it has.
  logs.close('a', 1);
  expect(opened(logs, 'a', 6).mostBytes).toBe(50);
  running.delete('a');
  expect(opened(logs, 'b', 7).mostBytes).toBe(250);
  expect(logsOf({ mostBytes: 0 }).logs.open('a', 1)?.mostBytes).toBe(0);
});

test('there are no more of them than a console may ask for', () => {
  const { logs } = logsOf();
  for (let id = 1; id <= mostLogs; id++) opened(logs, 'a', id);
  expect(logs.open('a', mostLogs + 1)).toBeUndefined();
  expect(logs.list()).toHaveLength(mostLogs);
});

test('a log is read in pieces once its host is gone, and its digest is of all of it', async () => {
  const { logs, running } = logsOf();
  const { path } = opened(logs, 'a', 1);
  const text = '1 2 3 0 5\n'.repeat(30_000);
  writeFileSync(path, text);
  expect(logs.list()).toEqual([{ logId: 1, streamId: 1, bytes: 300_000, isOpen: true }]);
  const written = { code: 'BAD_INPUT', message: expect.stringContaining('a log that is complete') };
  await expect(logs.read(1, 0)).rejects.toMatchObject(written);
  await expect(logs.digest(1)).rejects.toMatchObject(written);
  running.delete('a');
  const pieces = [await logs.read(1, 0), await logs.read(1, logPieceBytes), await logs.read(1, 300_000)];
  expect(pieces.map(({ length }) => length)).toEqual([logPieceBytes, 300_000 - logPieceBytes, 0]);
  expect(Buffer.concat(pieces).toString()).toBe(text);
  const [digest, refused] = await Promise.allSettled([logs.digest(1), logs.digest(1)]);
  expect(digest).toMatchObject({
    value: { bytes: 300_000, sha256: expect.stringMatching(/^[0-9a-f]{64}$/) },
  });
  expect(refused).toMatchObject({ reason: { code: 'BAD_INPUT' } });
});

test('what is no log of the lease is not given, nor what a link leads to', async () => {
  const { logs, running } = logsOf();
  const { path } = opened(logs, 'a', 1);
  running.delete('a');
  for (const id of [0, 2, -1, 1.5])
    await expect(logs.read(id, 0)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  rmSync(path);
  symlinkSync('/etc/hostname', path);
  await expect(logs.read(1, 0)).rejects.toMatchObject({ code: 'NOT_FOUND' });
});

test('a file that is there already is not written to', () => {
  const { logs } = logsOf();
  const { path } = opened(logs, 'a', 1);
  const victim = join(folder, 'victim');
  writeFileSync(victim, 'whole');
  symlinkSync(victim, join(dirname(path), 'captured-2.log'));
  expect(() => logs.open('a', 2)).toThrow(/captured-2\.log cannot be written/);
  expect(readFileSync(victim, 'utf8')).toBe('whole');
});

test('at the end of the lease those go that its user does not keep', async () => {
  for (const [own, isKept] of [
    [null, false],
    [join(folder, 'kept'), true],
  ] as const) {
    const { logs } = logsOf({ folder: own });
    const { path } = opened(logs, 'a', 1);
    expect(statSync(dirname(path)).mode & 0o777).toBe(0o700);
    await logs.end();
    expect(existsSync(dirname(path))).toBe(isKept);
  }
  await logsOf({ folder: null }).logs.end();
});
