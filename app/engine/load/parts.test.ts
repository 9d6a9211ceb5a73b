import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, expect, test, vi } from 'vitest';
import { readProcessTicks, ticksPerSecond } from './cpu';
import { compareRole, lateKnown, lookAtRole, partByThreadName, partOfThread, type RoleLook } from './parts';
import { ThreadReader, type ThreadTimes } from './threads';

const closers: (() => void)[] = [];
afterEach(() => {
  for (const close of closers.splice(0)) close();
});

test.each([
  ['wl-source', 'compose'],
  ['wl-decode', 'decode'],
  ['ndis:async', 'sdk'],
  ['ndir:video', 'sdk'],
  ['disc:accept', 'sdk'],
  ['node', 'runtime'],
  ['libuv-worker', 'runtime'],
  ['discord', 'runtime'],
  ['ndiscover', 'runtime'],
])('a thread called %s works on %s', (name, part) => {
  expect(partOfThread(name)).toBe(part);
});

function filesIn(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    return entry.isDirectory() ? filesIn(path) : [path];
  });
}

test('the names are those that the native threads give themselves', () => {
  const files = ['base', 'media', 'transports', 'content'].flatMap((room) => filesIn(join('native', room)));
  const calls = /\b(?:nameThread|ThreadNameScope \w+)\("([^"]*)"\)/g;
  const named = files
    .filter((file) => file.endsWith('.cc'))
    .flatMap((file) => [...readFileSync(file, 'utf8').matchAll(calls)])
    .map(([, name]) => name);
  expect(named.length).toBeGreaterThan(5);
  expect([...new Set(named)].sort()).toEqual(Object.keys(partByThreadName).sort());
});

/** A host with one thread for each entry: [name, CPU seconds so far]. */
function host(ticks: number, threads: Record<string, [string, number]> | null): RoleLook {
  const byThread: ThreadTimes | null =
    threads &&
    new Map(Object.entries(threads).map(([id, [name, seconds]]) => [id, { name, cpuNs: seconds * 1e9 }]));
  return new Map([
    [
      100,
      {
        name: 'node',
        ticks,
        threads: byThread?.size ?? 9,
        stopped: false,
        childTicks: 0,
        startTicks: 0,
        parentId: 1,
        byThread,
      },
    ],
  ]);
}

test('a host’s CPU is divided by its threads, what came and went among them', () => {
  const before = host(1000, {
    100: ['node', 4],
    101: ['wl-source', 2],
    102: ['wl-decode', 1],
    103: ['wl-decode', 1],
    104: ['ndis:send', 2],
  });
  const now = host(1140, {
    100: ['node', 4.1],
    101: ['wl-source', 2.3],
    102: ['wl-decode', 1.25],
    103: ['wl-decode', 1.25],
    // A number that was given away again, and a thread that is new.
    104: ['ndis:recv', 0.1],
    105: ['wl-sender', 0.2],
  });
  const load = compareRole('sending', before, now, 1, 4);
  expect(load?.cpuPercent).toBeCloseTo(35);
  const parts = Object.fromEntries(load?.parts?.map((part) => [part.name, part]) ?? []);
  const percents = Object.entries(parts).map(([name, { cpuPercent, threads }]) => [
    name,
    Math.round(cpuPercent * 100) / 100,
    threads,
  ]);
  expect(percents).toEqual([
    ['decode', 12.5, 2],
    ['compose', 7.5, 1],
    ['send', 5, 1],
    ['sdk', 2.5, 1],
    ['runtime', 2.5, 1],
    ['ended', 5, 0],
  ]);
});

test('what whole ticks leave over is no thread that ended', () => {
  const before = host(1000, { 100: ['node', 9], 101: ['wl-source', 1] });
  const now = host(1052, { 100: ['node', 9], 101: ['wl-source', 1.5] });
  const names = compareRole('sending', before, now, 1, 1)?.parts?.map(({ name }) => name);
  expect(names).toEqual(['compose', 'runtime']);
});

test('a first thread is the runtime, whatever the process is called', () => {
  const before = host(0, { 100: ['wl-source', 0] });
  const now = host(50, { 100: ['wl-source', 0.5] });
  expect(compareRole('sending', before, now, 1, 1)?.parts).toEqual([
    { name: 'runtime', cpuPercent: 50, threads: 1 },
  ]);
});

test('without the times of threads there are no parts, and the whole stands', () => {
  const load = compareRole('sending', host(100, null), host(150, null), 1, 1);
  expect(load).toMatchObject({ cpuPercent: 50, parts: null });
  expect(compareRole('sending', host(100, null), new Map(), 1, 1)).toBeNull();
});

test.each([
  ['began before the first look, so that it is not known what it used since', 99, 0, 0],
  ['began after the first look', 100, 40, 40],
])('a process that was seen for the first time %s', (_, startTicks, cpuPercent, threadPercent) => {
  const byThread: ThreadTimes = new Map([['101', { name: 'wl-source', cpuNs: 0.4e9 }]]);
  const times = {
    name: 'node',
    ticks: 40,
    childTicks: 0,
    startTicks,
    parentId: 1,
    threads: 1,
    stopped: false,
  };
  const load = compareRole('sending', new Map(), new Map([[100, { ...times, byThread }]]), 1, 1, 100);
  expect(load?.cpuPercent).toBe(cpuPercent);
  expect(load?.parts).toEqual([{ name: 'compose', cpuPercent: threadPercent, threads: 1 }]);
});

/** One process of ours, with the CPU time that it had taken. */
function seen(startTicks: number, ticks: number): RoleLook {
  const times = { name: 'node', ticks, childTicks: 0, startTicks, parentId: 1, threads: 1, stopped: false };
  return new Map([[100, { ...times, byThread: null }]]);
}

test.each<[string, before: RoleLook, now: RoleLook, cpuPercent: number, late: number | null]>([
  ['it was seen at both looks', seen(50, 10), seen(50, 40), 30, null],
  ['it began after the first look', new Map(), seen(100, 40), 40, null],
  ['it began just before the first look, which did not know it', new Map(), seen(99, 40), 0, 100],
  ['its number belonged to one that ended', seen(50, 90), seen(120, 40), 40, null],
  ['its number belonged to one that ended, and it was not known then', seen(50, 10), seen(90, 40), 0, 100],
])('what a process took in a second: %s', (_, before, now, cpuPercent, late) => {
  expect(compareRole('sending', before, now, 1, 1, 100)?.cpuPercent).toBe(cpuPercent);
  expect(lateKnown(before, now, 100)).toBe(late);
});

test('the movie’s ffmpeg, the engine and the window’s processes are parts of their own', () => {
  const look = (name: string, ids: number[], ticks: number): RoleLook =>
    new Map(
      ids.map((id) => [
        id,
        {
          name,
          ticks,
          threads: 3,
          stopped: false,
          childTicks: 0,
          startTicks: 0,
          parentId: 1,
          byThread: null,
        },
      ]),
    );
  const movie = compareRole('sending', look('ffmpeg', [7], 0), look('ffmpeg', [7], 30), 1, 1);
  expect(movie?.parts).toEqual([{ name: 'ffmpeg', cpuPercent: 30, threads: 3 }]);
  const ids = [process.pid, 8, 9];
  const shown = compareRole('console', look('node', ids, 0), look('node', ids, 10), 1, 1);
  expect(shown?.parts).toEqual([
    { name: 'engine', cpuPercent: 10, threads: 3 },
    { name: 'window', cpuPercent: 20, threads: 6 },
  ]);
});

/** Python, since Node cannot name a thread: one burns, one renames itself when it is asked to. */
const namedThreads = `
import ctypes, sys, threading, time
libc = ctypes.CDLL(None)
def burn():
    libc.prctl(15, b"wl-decode", 0, 0, 0)
    while True: pass
def late():
    sys.stdin.readline()
    libc.prctl(15, b"wl-source", 0, 0, 0)
    print("renamed", flush=True)
    time.sleep(600)
threading.Thread(target=late, daemon=True).start()
threading.Thread(target=burn, daemon=True).start()
print("ready", flush=True)
time.sleep(600)
`;

test('threads of a real process: by the names that they took, also after they were first seen', async () => {
  const child = spawn('python3', ['-c', namedThreads], { stdio: ['pipe', 'pipe', 'inherit'] });
  closers.push(() => child.kill('SIGKILL'));
  // By lines: unbuffered, Python writes a line in two pieces.
  const lines = createInterface({ input: child.stdout });
  const processId = child.pid ?? 0;
  await once(lines, 'line');
  const reader = new ThreadReader();
  closers.push(() => reader.close());
  const first = lookAtRole('sending', [processId], reader);
  child.stdin.write('\n');
  await once(lines, 'line');
  const burntTicks = (readProcessTicks(processId) ?? Number.NaN) + ticksPerSecond;
  // A second of the CPU takes long where many share it.
  const patience = { timeout: 240_000 };
  await vi.waitFor(() => expect(readProcessTicks(processId)).toBeGreaterThan(burntTicks), patience);
  const second = lookAtRole('sending', [processId], reader);
  const load = compareRole('sending', first, second, 1, 1);
  const part = (name: string) => load?.parts?.find((entry) => entry.name === name);
  expect(part('decode')?.cpuPercent).toBeGreaterThan(0.8 * (load?.cpuPercent ?? Number.NaN));
  expect(part('decode')?.cpuPercent).toBeGreaterThan(80);
  expect(part('compose')).toMatchObject({ threads: 1 });
  expect(load?.parts?.reduce((sum, { threads }) => sum + threads, 0)).toBe(3);
});

test('a process that is stopped by a signal is reported, until it goes on', async () => {
  const child = spawn('sleep', ['60'], { stdio: 'ignore' });
  closers.push(() => child.kill('SIGKILL'));
  const processId = child.pid ?? 0;
  const reader = new ThreadReader();
  closers.push(() => reader.close());
  const look = () => lookAtRole('receiving', [processId], reader);
  const stopped = (before: RoleLook, now: RoleLook) => compareRole('receiving', before, now, 1, 1)?.stopped;
  const isStopped = () => look().get(processId)?.stopped;
  const running = look();
  child.kill('SIGSTOP');
  await vi.waitFor(() => expect(isStopped()).toBe(true));
  const halted = look();
  child.kill('SIGCONT');
  await vi.waitFor(() => expect(isStopped()).toBe(false));
  const again = look();
  expect([stopped(running, halted), stopped(halted, again), stopped(running, again)]).toEqual([
    ...[true, true, false],
  ]);
});

/** Files of these processes' threads' times that this process has open: other tests may have some of other processes. */
function openFiles(processIds: readonly number[]): number {
  const folder = '/proc/self/fd';
  const targets = readdirSync(folder).map((file) => {
    try {
      return readlinkSync(join(folder, file));
    } catch {
      return '';
    }
  });
  const folders = processIds.map((id) => `/proc/${id}/task/`);
  return targets.filter(
    (target) => target.endsWith('/schedstat') && folders.some((start) => target.startsWith(start)),
  ).length;
}

function threadsOf(processId: number): number {
  return readdirSync(`/proc/${processId}/task`).length;
}

test('what is gone is let go of: processes that end, and those that no one asks for', async () => {
  const reader = new ThreadReader();
  const children = [1, 2].map(() =>
    spawn(process.execPath, ['-e', 'setInterval(() => undefined, 1e6)'], { stdio: 'ignore' }),
  );
  closers.push(() => children.map((child) => child.kill('SIGKILL')));
  const [first = 0, second = 0] = children.map(({ pid }) => pid);
  const openNow = (): number => openFiles([first, second]);
  const seenWhole = (id: number): void => expect(reader.read(id)?.size).toBe(threadsOf(id));
  // Node starts its threads one after the other.
  let threads = 0;
  await vi.waitFor(() => {
    seenWhole(first);
    seenWhole(second);
    threads = threadsOf(second);
    expect(threadsOf(first) + threads).toBeGreaterThan(4);
    expect(openNow()).toBe(threadsOf(first) + threads);
  });
  reader.keepOnly(new Set([second]));
  expect(openNow()).toBe(threads);
  const ended = new Promise((resolve) => children[1]?.once('exit', resolve));
  children[1]?.kill('SIGKILL');
  await ended;
  expect(reader.read(second)).toBeNull();
  expect(lookAtRole('sending', [second], reader).size).toBe(0);
  expect(openNow()).toBe(0);
  await vi.waitFor(() => seenWhole(first));
  reader.close();
  expect(openNow()).toBe(0);
});

test('more threads than may be kept open are read all the same', () => {
  const openBefore = openFiles([process.pid]);
  const reader = new ThreadReader(2);
  closers.push(() => reader.close());
  expect(reader.read(process.pid)?.size).toBe(threadsOf(process.pid));
  expect(openFiles([process.pid]) - openBefore).toBe(2);
});
